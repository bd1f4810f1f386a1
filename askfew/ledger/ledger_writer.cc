#include "askfew/ledger/ledger_writer.h"

#include <utility>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

constexpr std::size_t usual_room = ledger::piece_bytes;  // more memory is only for a large model, and is
                                                         // released

}  // namespace

LedgerWriter::LedgerWriter(std::unique_ptr<LedgerStore> store, std::string_view start)
    : store_(std::move(store)), is_ragged_(store_->status().is_regular), buffer_(ledger::magic) {
  link_ = ledger::first_link(ledger::magic);
  add(ledger::Type::start, start);
}

LedgerWriter::LedgerWriter(std::unique_ptr<LedgerStore> store, std::uint64_t bytes, ledger::Link link)
    : store_(std::move(store)), bytes_(bytes), is_ragged_(true), link_(link) {
  if (!cut()) throw FileError(store_->name() + ": cannot cut off the torn end: " + why_);
}

void LedgerWriter::add(ledger::Type type, std::string_view payload) {
  link_ = ledger::append_record(type, payload, link_, buffer_);
}

void LedgerWriter::retract(const Mark& mark) {
  buffer_.resize(mark.bytes);
  link_ = mark.link;
}

bool LedgerWriter::cut() {
  if (!is_ragged_) return true;
  std::string failure = store_->cut(bytes_);
  is_ragged_ = !failure.empty();
  if (is_ragged_) why_ = std::move(failure);
  return !is_ragged_;
}

bool LedgerWriter::is_touched_by_others() {
  const LedgerStore::Status status = store_->status();
  const bool has_its_size = status.size == bytes_ || (is_ragged_ && status.size > bytes_);
  if (status.is_in_place && (has_its_size || !status.is_regular)) return false;
  why_ = store_->name() + (status.is_in_place ? " was changed by another program" : " was deleted or moved");
  return true;
}

bool LedgerWriter::flush() {
  if (buffer_.empty()) return true;
  if (is_touched_by_others() || !cut()) return false;
  std::string failure = store_->write(bytes_, buffer_);
  if (!failure.empty()) {
    is_ragged_ = store_->status().is_regular;
    static_cast<void>(cut());  // after a failure, tried again before the next write
    why_ = std::move(failure);
    return false;
  }
  bytes_ += buffer_.size();
  buffer_.clear();
  if (buffer_.capacity() > usual_room) buffer_.shrink_to_fit();
  return true;
}

bool LedgerWriter::commit(bool sync) {
  std::string failure = store_->commit(sync);
  if (failure.empty()) return true;
  why_ = std::move(failure);
  return false;
}

}  // namespace askfew
