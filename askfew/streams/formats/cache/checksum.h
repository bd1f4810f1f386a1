#pragma once

#include <cstdint>
#include <string_view>

#include "askfew/streams/formats/cache/layout.h"

namespace askfew::cache {

// XXH3, 64 bits.

/// That of the header is seeded with that of the prefix before it.
std::uint64_t checksum_of(const Prefix& prefix, std::string_view header);
/// That of a block's prefix is seeded with that of the file, and that of its payload with that of the prefix.
std::uint64_t checksum_of(const BlockPrefix& prefix, std::uint64_t file);
std::uint64_t checksum_of_payload(const BlockPrefix& prefix, std::string_view payload);

}  // namespace askfew::cache
