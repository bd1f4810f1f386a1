#include "askfew/streams/formats/cache/checksum.h"

// Whole files are hashed here: using the widest vectors of the processor is worth a call.
#if defined(__x86_64__)
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

namespace askfew::cache {

std::uint64_t checksum_of(const Prefix& prefix, std::string_view header) {
  const std::uint64_t seed = XXH3_64bits(&prefix, offsetof(Prefix, checksum));
  return XXH3_64bits_withSeed(header.data(), header.size(), seed);
}

std::uint64_t checksum_of(const BlockPrefix& prefix, std::uint64_t file) {
  return XXH3_64bits_withSeed(&prefix, offsetof(BlockPrefix, prefix_checksum), file);
}

std::uint64_t checksum_of_payload(const BlockPrefix& prefix, std::string_view payload) {
  return XXH3_64bits_withSeed(payload.data(), payload.size(), prefix.prefix_checksum);
}

}  // namespace askfew::cache
