#include "askfew/ledger/ledger_reader.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>
#include <utility>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

constexpr std::size_t step = std::size_t{1} << 18;

}  // namespace

bool LedgerReader::has(std::size_t bytes) {
  while (end_ - begin_ < bytes) {
    if (begin_ > 0) {
      buffer_.erase(0, begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    // A size that somebody made up takes no more room than there are bytes.
    buffer_.resize(end_ + step);
    const ssize_t got = read(file_.descriptor(), buffer_.data() + end_, step);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw FileError(file_.path() + ": cannot read the ledger: " + std::strerror(errno));
    if (got == 0) return false;
    end_ += static_cast<std::size_t>(got);
  }
  return true;
}

void LedgerReader::pass(std::size_t bytes) {
  begin_ += bytes;
  offset_ += bytes;
}

bool LedgerReader::pass_magic() {
  using ledger::magic;
  const bool whole = has(magic.size());
  const std::string_view found = at_hand().substr(0, magic.size());
  if (found != magic.substr(0, found.size())) {
    if (whole && found.starts_with(magic.substr(0, magic.size() - 2)))
      fail("a ledger of another format than this program writes");
    fail("not a ledger of askfew");
  }
  if (whole) pass(magic.size());
  return whole;
}

std::optional<LedgerReader::Record> LedgerReader::next() {
  using ledger::Prefix;
  using ledger::Type;
  pass(passes_);
  passes_ = 0;
  const bool is_first = offset_ == 0;
  const auto torn = [&]() -> std::optional<Record> {
    torn_bytes_ = end_ - begin_;
    if (is_first) torn_bytes_ += std::exchange(offset_, 0);  // a magic text alone is nothing whole
    return std::nullopt;
  };
  if (is_first && !pass_magic()) return torn();
  if (!has(sizeof(Prefix))) return torn();
  Prefix prefix;
  std::memcpy(&prefix, at_hand().data(), sizeof prefix);
  if (prefix.check != ledger::check_of(prefix, link_)) fail("damaged");
  const auto type = static_cast<Type>(prefix.type);
  if ((type == Type::start) != is_first || type < Type::start || type > Type::outcome ||
      prefix.size > ledger::max_bytes)
    fail("a record that does not belong there");
  const std::size_t size = sizeof prefix + prefix.size + sizeof(ledger::Link);
  if (!has(size)) return torn();
  const std::string_view payload = at_hand().substr(sizeof prefix, prefix.size);
  ledger::Link hash = 0;
  std::memcpy(&hash, payload.data() + payload.size(), sizeof hash);
  if (hash != ledger::hash_of(prefix, payload)) fail("damaged");
  link_ = hash;
  const Record record{.type = type, .payload = payload, .offset = offset_};
  passes_ = size;
  return record;
}

void LedgerReader::fail(const std::string& why) const {
  const bool is_cut = offset_ > 0;
  throw DataError({.why = why + " at byte " + std::to_string(offset_) +
                          (is_cut ? "; all before it is whole (truncate -s " + std::to_string(offset_) +
                                        " would keep that)"
                                  : ""),
                   .file = file_.path()});
}

}  // namespace askfew
