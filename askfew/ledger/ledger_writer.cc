#include "askfew/ledger/ledger_writer.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>
#include <utility>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

constexpr std::size_t usual_room = ledger::piece_bytes;  // more memory is only for a large model, and is
                                                         // released

}  // namespace

LedgerWriter::LedgerWriter(LedgerFile file, std::string_view start)
    : file_(std::move(file)), is_ragged_(file_.status().is_regular), buffer_(ledger::magic) {
  link_ = ledger::first_link(ledger::magic);
  add(ledger::Type::start, start);
}

LedgerWriter::LedgerWriter(LedgerFile file, std::uint64_t bytes, ledger::Link link)
    : file_(std::move(file)), bytes_(bytes), is_ragged_(true), link_(link) {
  if (!cut()) throw FileError(file_.path() + ": cannot cut off the torn end: " + why_);
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
  is_ragged_ = ftruncate(file_.descriptor(), static_cast<off_t>(bytes_)) != 0;
  if (is_ragged_) why_ = std::strerror(errno);
  return !is_ragged_;
}

bool LedgerWriter::is_touched_by_others() {
  const LedgerFile::Status status = file_.status();
  const bool has_its_size = status.size == bytes_ || (is_ragged_ && status.size > bytes_);
  if (status.is_in_place && (has_its_size || !status.is_regular)) return false;
  why_ = file_.path() + (status.is_in_place ? " was changed by another program" : " was deleted or moved");
  return true;
}

bool LedgerWriter::flush() {
  if (buffer_.empty()) return true;
  if (is_touched_by_others() || !cut()) return false;
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t wrote = pwrite(file_.descriptor(), buffer_.data() + done, buffer_.size() - done,
                                 static_cast<off_t>(bytes_ + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      const std::string why_not = std::strerror(wrote < 0 ? errno : ENOSPC);
      is_ragged_ = done > 0 || file_.status().is_regular;
      static_cast<void>(cut());  // after a failure, tried again before the next write
      why_ = why_not;
      return false;
    }
    done += static_cast<std::size_t>(wrote);
  }
  bytes_ += done;
  buffer_.clear();
  if (buffer_.capacity() > usual_room) buffer_.shrink_to_fit();
  return true;
}

void LedgerWriter::sync() {
  if (fdatasync(file_.descriptor()) != 0)
    throw FileError(file_.path() + ": cannot sync the ledger: " + std::strerror(errno));
  if (!has_name_) file_.sync_folder();
  has_name_ = true;
}

}  // namespace askfew
