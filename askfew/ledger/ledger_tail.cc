#include "askfew/ledger/ledger_tail.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

namespace askfew {
namespace {

using ledger::Link;
using ledger::Prefix;

constexpr std::size_t frame = sizeof(Prefix) + sizeof(Link);  // bytes of a record around its payload

template <class T>
T number_at(std::string_view bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// The size of the record that begins there, if its prefix is valid.
std::optional<std::uint64_t> record_at(std::string_view bytes, std::size_t at, Link before) {
  if (bytes.size() - at < sizeof(Prefix)) return std::nullopt;
  const auto prefix = number_at<Prefix>(bytes, at);
  if (prefix.check != ledger::check_of(prefix, before)) return std::nullopt;
  return frame + prefix.size;
}

bool is_whole(std::string_view bytes, std::size_t at, std::uint64_t size) {
  if (bytes.size() - at < size) return false;
  const std::string_view payload = bytes.substr(at + sizeof(Prefix), size - frame);
  return number_at<Link>(bytes, at + size - sizeof(Link)) ==
         ledger::hash_of(number_at<Prefix>(bytes, at), payload);
}

/// The number of complete records in the bytes, at any position: the hash of the record before stands in
/// front of each.
std::uint64_t count_records(std::string_view bytes) {
  std::uint64_t count = 0;
  for (std::size_t at = sizeof(Link); at + frame <= bytes.size();) {
    const auto size = record_at(bytes, at, number_at<Link>(bytes, at - sizeof(Link)));
    const bool found = size && is_whole(bytes, at, *size);
    count += found ? 1 : 0;
    at += found ? *size : 1;
  }
  return count;
}

/// What is in the bytes after the whole records, of which some are damaged.
void look_at(std::string_view bytes, ledger::Link link, LedgerTail& tail) {
  tail.bytes = bytes.size();
  const std::size_t last = bytes.find_last_not_of('\0');
  const std::size_t written = last == std::string_view::npos ? 0 : last + 1;
  tail.zeros = tail.bytes - written;
  // The zeros begin inside the damaged record. If they cover only bytes of its hash, the hash may contain
  // zeros by chance.
  const std::size_t begin = tail.place - tail.whole;
  const auto size = record_at(bytes, begin, link);
  const std::uint64_t end = begin + size.value_or(sizeof(Prefix) + 1);
  const std::uint64_t most = size && end == bytes.size() ? end - sizeof(Link) : end - 1;
  if (written <= most && tail.zeros > 0) {
    tail.kind = LedgerTail::Kind::zeros;
    return;
  }
  tail.readable = count_records(bytes.substr(begin));
}

}  // namespace

LedgerTail tail_of(const LedgerStore& store, const LedgerReader& reader, const LedgerDamage* damage) {
  LedgerTail tail{.whole = reader.whole_bytes()};
  if (damage == nullptr) {
    tail.bytes = reader.torn_bytes();
    tail.place = tail.whole;
    if (tail.bytes > 0) tail.kind = LedgerTail::Kind::torn;
    return tail;
  }
  tail.kind = LedgerTail::Kind::damaged;
  tail.place = damage->place();
  store.show_from(tail.whole, [&](std::string_view bytes) { look_at(bytes, damage->link(), tail); });
  return tail;
}

}  // namespace askfew
