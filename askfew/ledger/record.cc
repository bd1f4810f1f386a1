#define XXH_INLINE_ALL
#include "askfew/ledger/record.h"

#include <bit>
#include <cstddef>
#include <xxhash.h>

namespace askfew::ledger {
namespace {

static_assert(std::endian::native == std::endian::little);

void append_bytes(const void* bytes, std::size_t size, std::string& out) {
  out.append(static_cast<const char*>(bytes), size);
}

}  // namespace

Link first_link(std::string_view text) {
  return text[format_place] == '1' ? 0 : XXH3_64bits(text.data(), magic.size());
}

std::uint64_t check_of(const Prefix& prefix, Link before) {
  return XXH3_64bits_withSeed(&prefix, offsetof(Prefix, check), before);
}

Link hash_of(const Prefix& prefix, std::string_view payload) {
  return XXH3_64bits_withSeed(payload.data(), payload.size(), prefix.check);
}

Link append_record(Type type, std::string_view payload, Link before, std::string& out) {
  Link link = before;
  bool is_last = false;
  while (!is_last) {
    is_last = payload.size() <= piece_bytes;
    const std::string_view piece = payload.substr(0, piece_bytes);
    Prefix prefix{.size = static_cast<std::uint32_t>(piece.size()),
                  .type = static_cast<std::uint32_t>(type) | (is_last ? 0 : goes_on)};
    prefix.check = check_of(prefix, link);
    link = hash_of(prefix, piece);
    append_bytes(&prefix, sizeof prefix, out);
    out += piece;
    append_bytes(&link, sizeof link, out);
    payload.remove_prefix(piece.size());
  }
  return link;
}

}  // namespace askfew::ledger
