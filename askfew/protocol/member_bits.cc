#include "askfew/protocol/member_bits.h"

#include <cstring>

#include "askfew/core/expects.h"

namespace askfew {

std::uint64_t positive_bits(std::span<const Label> labels) {
  EXPECTS(labels.size() <= max_members);
  constexpr std::size_t at_once = sizeof(std::uint64_t);
  static_assert(static_cast<unsigned char>(Label::positive) == 1 &&
                static_cast<unsigned char>(Label::negative) == 0xFF);
  std::uint64_t bits = 0;
  std::size_t k = 0;
  for (; k + at_once <= labels.size(); k += at_once) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, labels.data() + k, at_once);
    if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
    // The second bit of a byte is clear if the label is positive; a product moves these bits side by side.
    const std::uint64_t positive = ~(bytes >> 1) & 0x0101010101010101;
    bits |= (positive * 0x0102040810204080 >> 56) << k;
  }
  for (; k < labels.size(); ++k) bits |= std::uint64_t{labels[k] == Label::positive} << k;
  return bits;
}

}  // namespace askfew
