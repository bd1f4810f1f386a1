#define XXH_INLINE_ALL
#include "askfew/ledger/record.h"

#include <bit>
#include <cstddef>
#include <xxhash.h>

#include "askfew/core/expects.h"

namespace askfew::ledger {
namespace {

static_assert(std::endian::native == std::endian::little);

void append_bytes(const void* bytes, std::size_t size, std::string& out) {
  out.append(static_cast<const char*>(bytes), size);
}

}  // namespace

std::uint64_t check_of(const Prefix& prefix, Link before) {
  return XXH3_64bits_withSeed(&prefix, offsetof(Prefix, check), before);
}

Link hash_of(const Prefix& prefix, std::string_view payload) {
  return XXH3_64bits_withSeed(payload.data(), payload.size(), prefix.check);
}

Link append_record(Type type, std::string_view payload, Link before, std::string& out) {
  EXPECTS(payload.size() <= max_bytes);
  Prefix prefix{.size = static_cast<std::uint32_t>(payload.size()), .type = static_cast<std::uint32_t>(type)};
  prefix.check = check_of(prefix, before);
  const Link hash = hash_of(prefix, payload);
  append_bytes(&prefix, sizeof prefix, out);
  out += payload;
  append_bytes(&hash, sizeof hash, out);
  return hash;
}

}  // namespace askfew::ledger
