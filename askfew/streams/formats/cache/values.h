#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace askfew {

/// How a cache stores the values of a block. Every code preserves every bit.
enum class ValueCode : std::uint16_t {
  table = 1,      ///< few distinct values: the values, then one byte per value with its index
  decimal16 = 2,  ///< m / 10^k, m in two bytes
  decimal32 = 3,  ///< m / 10^k, m in four bytes
  float32 = 4,
  float64 = 5
};

struct CodedValues {
  ValueCode code = ValueCode::float64;
  std::uint32_t parameter = 0;  ///< number of values in the table, or k
  std::string bytes;
};

/// Writes values as short as possible. If all values are equal, only one is written, unless each must take a
/// byte. REQUIRES: all values are finite.
CodedValues encode_values(std::span<const double> values, bool a_byte_each);

/// Writes as many values as there is room for; false if the bytes are not so many finite values.
bool decode_values(ValueCode code, std::uint32_t parameter, std::string_view bytes, std::span<double> values);

// The single codes; nothing if a code cannot preserve every bit.
std::optional<CodedValues> encode_as_table(std::span<const double> values, bool a_byte_each);
std::optional<CodedValues> encode_as_decimals(std::span<const double> values);
std::optional<CodedValues> encode_as_floats(std::span<const double> values);
CodedValues encode_as_doubles(std::span<const double> values);

}  // namespace askfew
