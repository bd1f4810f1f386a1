#pragma once

// The checksums of a cache.

#include <cstdint>
#include <string_view>

#include "askfew/streams/formats/cache/layout.h"

namespace askfew::cache {

// XXH3, 64 bits.

/// The checksum of the header; its seed is the checksum of the prefix.
std::uint64_t checksum_of(const Prefix& prefix, std::string_view header);
/// The checksum of a block's prefix; its seed is the checksum of the file. The checksum of the prefix is the
/// seed for the payload.
std::uint64_t checksum_of(const BlockPrefix& prefix, std::uint64_t file);
std::uint64_t checksum_of_payload(const BlockPrefix& prefix, std::string_view payload);

}  // namespace askfew::cache
