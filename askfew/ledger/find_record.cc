#include <algorithm>
#include <cstring>

#include "askfew/ledger/ledger_reader.h"

namespace askfew {
namespace {

using ledger::Link;
using ledger::Prefix;

constexpr std::uint64_t block_bytes = std::uint64_t{1} << 20;

/// Reads as many of these bytes as there are.
void read_all(const LedgerStore& store, std::uint64_t place, std::uint64_t size, std::string& bytes) {
  bytes.resize(size);
  std::size_t have = 0;
  while (have < size) {
    const std::size_t got = store.read(place + have, bytes.data() + have, size - have);
    if (got == 0) break;
    have += got;
  }
  bytes.resize(have);
}

/// The last valid prefix of this type among those that begin at `first` or later in the bytes. REQUIRES: the
/// bytes have a link before `first`.
std::optional<std::size_t> last_prefix(std::string_view bytes, std::size_t first, ledger::Type type) {
  const auto number = static_cast<std::uint32_t>(type);
  if (bytes.size() < first + sizeof(Prefix)) return std::nullopt;
  constexpr std::size_t of_type = offsetof(Prefix, type);
  std::string_view searched = bytes.substr(0, bytes.size() - sizeof(Prefix) + of_type + 1);
  while (true) {
    const std::size_t at = searched.rfind(static_cast<char>(number));  // the type's first byte: little-endian
    if (at == std::string_view::npos || at < first + of_type) return std::nullopt;
    const std::size_t begin = at - of_type;
    Prefix prefix;
    Link before = 0;
    std::memcpy(&prefix, bytes.data() + begin, sizeof prefix);
    std::memcpy(&before, bytes.data() + begin - sizeof before, sizeof before);
    if ((prefix.type & ~ledger::goes_on) == number && prefix.check == ledger::check_of(prefix, before))
      return begin;
    searched = searched.substr(0, at);
  }
}

}  // namespace

std::optional<RecordPlace> find_last_record(const LedgerStore& store, ledger::Type type, std::uint64_t first,
                                            std::uint64_t end) {
  std::string bytes;
  while (end > first) {
    const std::uint64_t begin = end - std::min(end - first, block_bytes);
    const std::uint64_t from = begin - sizeof(Link);
    read_all(store, from, end - from + sizeof(Prefix) - 1, bytes);
    if (const auto found = last_prefix(bytes, sizeof(Link), type)) {
      Link before = 0;
      std::memcpy(&before, bytes.data() + *found - sizeof before, sizeof before);
      return RecordPlace{.place = from + *found, .before = before};
    }
    end = begin;
  }
  return std::nullopt;
}

}  // namespace askfew
