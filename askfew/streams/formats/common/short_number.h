#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace askfew {

/// Eight bytes of a text as one number; the first byte is the lowest.
inline std::uint64_t eight_bytes(const char* at) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

constexpr std::uint64_t in_each_byte = 0x0101'0101'0101'0101;

/// The highest bit of the first byte that is 0, possibly also of later bytes, but never of earlier bytes.
inline std::uint64_t zero_bytes(std::uint64_t word) {
  return (word - in_each_byte) & ~word & (in_each_byte * 0x80);
}

/// Reads the number `[-]digits[.digits]` in the first `length` bytes of the word, without a loop: lengths
/// vary, and the branches of a loop would be mispredicted. The result is correctly rounded. False for any
/// other form. REQUIRES: 1 <= length <= 8.
inline bool read_short_number(std::uint64_t word, unsigned length, double& value) {
  static constexpr double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
  const bool minus = (word & 0xFF) == '-';
  // Moves the last character to the highest byte, turns digits into 0 to 9, and fills zeros in before them.
  const unsigned missing = 64 - 8 * length;
  std::uint64_t digits = (word ^ (in_each_byte * '0')) << missing;
  digits &= ~(std::uint64_t{minus ? 0xFFU : 0U} << missing);
  const std::uint64_t points = zero_bytes(digits ^ (in_each_byte * ('.' ^ '0'))) >> 7;
  const std::uint64_t point = points & -points;
  const std::uint64_t joined = ((digits & (point - 1)) << 8) | (digits & ~((point << 8) - 1));
  digits = point != 0 ? joined : digits;
  const bool all_digits = (((digits + in_each_byte * 0x76) | digits) & (in_each_byte * 0x80)) == 0;
  const unsigned others = (minus ? 1 : 0) + (point != 0 ? 1 : 0);
  if (!all_digits || others == length) return false;
  // Combines tens with ones, then hundreds with these, and so on.
  digits = digits * 10 + (digits >> 8);
  constexpr std::uint64_t mask = 0x0000'00FF'0000'00FF;
  constexpr std::uint64_t first = 0x000F'4240'0000'0064;   // 100 + (1000000 << 32)
  constexpr std::uint64_t second = 0x0000'2710'0000'0001;  // 1 + (10000 << 32)
  const std::uint64_t mantissa = ((digits & mask) * first + ((digits >> 16 & mask) * second)) >> 32;
  // Both numbers are exact: one division rounds correctly.
  const unsigned fraction = point != 0 ? 7 - static_cast<unsigned>(std::countr_zero(point)) / 8 : 0;
  const double magnitude = static_cast<double>(static_cast<std::uint32_t>(mantissa)) / powers[fraction];
  value = minus ? -magnitude : magnitude;
  return true;
}

}  // namespace askfew
