#include "askfew/ledger/ledger_reader.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace askfew {
namespace {

constexpr std::size_t step = std::size_t{1} << 18;

constexpr std::string_view newer = "written by a newer version of askfew, which can read it";
constexpr std::string_view look_at_it = "nothing was changed; 'askfew ledger check' tells what can be done";

}  // namespace

bool LedgerReader::has(std::size_t bytes) {
  while (end_ - begin_ < bytes) {
    if (begin_ > 0) {
      buffer_.erase(0, begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    // A false size must not take more memory than there are bytes.
    buffer_.resize(end_ + step);
    const std::size_t got = store_.read(offset_ + end_, buffer_.data() + end_, step);
    if (got == 0) return false;
    end_ += got;
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
  std::string found(at_hand().substr(0, magic.size()));
  if (found.size() > ledger::format_place) {
    char& format = found[ledger::format_place];
    const bool is_number = format >= '0' && format <= '9';
    format_ = is_number ? format - '0' : 0;
    if (is_number) format = magic[ledger::format_place];
  }
  if (found != magic.substr(0, found.size()))
    throw DataError(error("not a ledger of askfew", "nothing was changed"));
  if (!whole) return false;
  if (format_ < ledger::oldest_format - '0' || format_ > ledger::newest_format - '0')
    throw DataError(error(fmt::format("a ledger of format {}", format_), newer));
  link_ = ledger::first_link(at_hand());
  pass(magic.size());
  return true;
}

std::optional<LedgerReader::Piece> LedgerReader::next_piece() {
  using ledger::Prefix;
  using ledger::Type;
  pass(std::exchange(passes_, 0));
  const bool is_first = offset_ == 0;
  if (is_first && !pass_magic()) return std::nullopt;
  if (!has(sizeof(Prefix))) return std::nullopt;
  Prefix prefix;
  std::memcpy(&prefix, at_hand().data(), sizeof prefix);
  if (prefix.check != ledger::check_of(prefix, link_)) fail_as_damaged("damaged");
  const std::uint32_t number = prefix.type & ~ledger::goes_on;
  const auto type = static_cast<Type>(number);
  if (number < static_cast<std::uint32_t>(Type::start) ||
      number > static_cast<std::uint32_t>(Type::checkpoint)) {
    throw DataError(error(fmt::format("a record of type {}", number), newer));
  }
  const std::size_t size = sizeof prefix + prefix.size + sizeof(ledger::Link);
  if (!has(size)) return std::nullopt;
  const std::string_view payload = at_hand().substr(sizeof prefix, prefix.size);
  ledger::Link hash = 0;
  std::memcpy(&hash, payload.data() + payload.size(), sizeof hash);
  if (hash != ledger::hash_of(prefix, payload)) fail_as_damaged("damaged");
  link_ = hash;
  passes_ = size;
  return Piece{.type = type, .goes_on = (prefix.type & ledger::goes_on) != 0, .payload = payload};
}

std::optional<LedgerReader::Record> LedgerReader::next() {
  whole_ = {.bytes = offset_ + passes_, .link = link_};
  joined_.clear();
  std::optional<ledger::Type> type;
  while (const auto piece = next_piece()) {
    const bool belongs =
        type ? piece->type == *type : (piece->type == ledger::Type::start) == (whole_.bytes == 0);
    if (!belongs) fail_as_damaged("a record that does not belong there");
    type = piece->type;
    const bool is_alone = joined_.empty() && !piece->goes_on;
    if (!is_alone) joined_ += piece->payload;
    if (!piece->goes_on) {
      return Record{.type = *type,
                    .payload = is_alone ? piece->payload : std::string_view(joined_),
                    .offset = std::max<std::uint64_t>(whole_.bytes, ledger::magic.size()),
                    .before = whole_.link};
    }
  }
  torn_bytes_ = offset_ + (end_ - begin_) - whole_.bytes;
  return std::nullopt;
}

void LedgerReader::go_to(const RecordPlace& place) {
  begin_ = end_ = passes_ = 0;
  offset_ = place.place;
  link_ = place.before;
}

ParseError LedgerReader::error(std::string_view what, std::string_view advice) const {
  return {.why = fmt::format("{} at byte {}: {}", what, offset_, advice), .file = store_.name()};
}

void LedgerReader::fail_as_damaged(std::string_view what) const {
  throw LedgerDamage(error(what, look_at_it), offset_, link_);
}

}  // namespace askfew
