#include "askfew/streams/formats/cache/checksum.h"

// Whole files are hashed here: using the widest vectors of the processor is worth a call.
#if defined(__x86_64__)
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

#include "askfew/system/instruction_sets.h"

namespace askfew::cache {
namespace {

std::uint64_t checksum_of_many(std::string_view bytes, std::uint64_t seed) {
  const std::uint64_t checksum = XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
  leave_wide_registers();  // libxxhash 0.8.1 does not
  return checksum;
}

}  // namespace

std::uint64_t checksum_of(const Prefix& prefix, std::string_view header) {
  const std::uint64_t seed = XXH3_64bits(&prefix, offsetof(Prefix, checksum));
  return checksum_of_many(header, seed);
}

std::uint64_t checksum_of(const BlockPrefix& prefix, std::uint64_t file) {
  return XXH3_64bits_withSeed(&prefix, offsetof(BlockPrefix, prefix_checksum), file);
}

std::uint64_t checksum_of_payload(const BlockPrefix& prefix, std::string_view payload) {
  return checksum_of_many(payload, prefix.prefix_checksum);
}

}  // namespace askfew::cache
