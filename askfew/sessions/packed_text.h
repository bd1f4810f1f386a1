#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace askfew {

/// Packs bytes as a frame of zstd with a checksum. Numbers that are mostly zero, such as weights of hashed
/// words, become a hundredth. THROWS: ResourceError if there is no memory for it.
std::string packed_text(std::string_view text);
/// The bytes again. `size`: how many they are. THROWS: ModelError if the frame is damaged or has another
/// size.
std::string unpacked_text(std::string_view packed, std::uint64_t size);

}  // namespace askfew
