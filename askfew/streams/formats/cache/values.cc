#include "askfew/streams/formats/cache/values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "askfew/streams/formats/cache/bytes.h"

namespace askfew {
namespace {

constexpr std::size_t largest_table = 256;

/// The powers that a double represents exactly.
constexpr std::array powers_of_ten{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Numbers distinct values, until there are too many.
class Distinct {
 public:
  /// The number of the value; nothing if the table is full.
  std::optional<std::uint8_t> add(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    std::size_t at = (bits * 0x9E3779B97F4A7C15) >> 54;
    while (slots_[at] != 0 && !same_bits(values_[slots_[at] - 1U], value)) at = (at + 1) % slots_.size();
    if (slots_[at] == 0) {
      if (size_ == largest_table) return std::nullopt;
      values_[size_] = value;
      slots_[at] = static_cast<std::uint16_t>(++size_);
    }
    return static_cast<std::uint8_t>(slots_[at] - 1U);
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] double operator[](std::size_t k) const { return values_[k]; }

 private:
  std::array<double, largest_table> values_{};
  std::array<std::uint16_t, 1024> slots_{};  // number of a value plus one; 0: free
  std::size_t size_ = 0;
};

template <class T>
std::string numerators(std::span<const double> values, double power) {
  std::string bytes;
  bytes.reserve(values.size() * sizeof(T));
  for (const double v : values) append_number(bytes, static_cast<T>(std::llrint(v * power)));
  return bytes;
}

// The compiler vectorises these loops.

bool decode_table(std::size_t entries, std::string_view bytes, std::span<double> values) {
  if (entries < 1 || entries > largest_table || bytes.size() < entries * sizeof(double)) return false;
  std::array<double, largest_table> table{};
  for (std::size_t k = 0; k < entries; ++k) table[k] = number_at<double>(bytes.data(), k);
  if (!std::all_of(table.begin(), table.end(), [](double v) { return std::isfinite(v); })) return false;
  const std::string_view numbers = bytes.substr(entries * sizeof(double));
  if (entries == 1 && numbers.empty()) {
    std::fill(values.begin(), values.end(), table[0]);
    return true;
  }
  if (numbers.size() != values.size()) return false;
  unsigned largest = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto number = static_cast<unsigned char>(numbers[k]);
    largest = std::max<unsigned>(largest, number);
    values[k] = table[number];
  }
  return largest < entries;
}

/// m / 10^k, rounded once, as a sum of two products: multiplication is several times as fast as division.
///
/// 1/10^k = high + low with 22 bits in high, so that m high is exact for |m| < 2^31. low is below 2^-21/10^k,
/// and the rounding errors of low and m low are below 2^-73 of the quotient. The relative distance of a
/// quotient that is not a double from the middle between two doubles is more than 2^-54/5^k, which is larger
/// as long as k <= 8. So the sum rounds to the same side.
struct Reciprocal {
  static constexpr std::size_t max_decimals = 8;

  explicit Reciprocal(double power) {
    int exponent = 0;
    const double fraction = std::frexp(1 / power, &exponent);
    high = std::ldexp(std::floor(std::ldexp(fraction, 22)), exponent - 22);
    low = (1 - high * power) / power;
  }
  [[nodiscard]] double times(double m) const { return m * high + m * low; }

  double high;
  double low;
};

template <class T>
bool decode_decimals(std::size_t decimals, std::string_view bytes, std::span<double> values) {
  if (decimals >= powers_of_ten.size() || bytes.size() != values.size() * sizeof(T)) return false;
  const double power = powers_of_ten[decimals];
  const char* from = bytes.data();
  const auto decode = [&](auto&& quotient) {
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] = quotient(static_cast<double>(number_at<T>(from, k)));
  };
  if (decimals <= Reciprocal::max_decimals) {
    decode([reciprocal = Reciprocal(power)](double m) { return reciprocal.times(m); });
  } else {
    decode([power](double m) { return m / power; });
  }
  return true;
}

template <class T>
bool decode_floats(std::string_view bytes, std::span<double> values) {
  if (bytes.size() != values.size() * sizeof(T)) return false;
  const char* from = bytes.data();
  bool finite = true;
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = static_cast<double>(number_at<T>(from, k));
    finite &= std::abs(values[k]) <= std::numeric_limits<double>::max();
  }
  return finite;
}

}  // namespace

std::optional<CodedValues> encode_as_table(std::span<const double> values, bool a_byte_each) {
  Distinct distinct;
  std::string numbers;
  numbers.reserve(values.size());
  for (const double v : values) {
    const auto number = distinct.add(v);
    if (!number) return std::nullopt;
    numbers.push_back(static_cast<char>(*number));
  }
  if (distinct.size() == 0) return std::nullopt;
  CodedValues coded{
      .code = ValueCode::table, .parameter = static_cast<std::uint32_t>(distinct.size()), .bytes = {}};
  for (std::size_t k = 0; k < distinct.size(); ++k) append_number(coded.bytes, distinct[k]);
  if (distinct.size() > 1 || a_byte_each) coded.bytes += numbers;
  return coded;
}

std::optional<CodedValues> encode_as_decimals(std::span<const double> values) {
  // m / 10^k and 10 m / 10^(k+1) give the same double.
  std::size_t decimals = 0;
  for (const double v : values) {
    if (same_bits(v, -0.0)) return std::nullopt;  // an integer has no negative zero
    while (!same_bits(std::rint(v * powers_of_ten[decimals]) / powers_of_ten[decimals], v)) {
      if (++decimals == powers_of_ten.size()) return std::nullopt;
    }
  }
  double largest = 0;
  const double power = powers_of_ten[decimals];
  for (const double v : values) largest = std::max(largest, std::abs(std::rint(v * power)));
  if (largest > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  const bool is_short = largest <= std::numeric_limits<std::int16_t>::max();
  return CodedValues{
      .code = is_short ? ValueCode::decimal16 : ValueCode::decimal32,
      .parameter = static_cast<std::uint32_t>(decimals),
      .bytes = is_short ? numerators<std::int16_t>(values, power) : numerators<std::int32_t>(values, power)};
}

std::optional<CodedValues> encode_as_floats(std::span<const double> values) {
  CodedValues coded{.code = ValueCode::float32, .bytes = {}};
  coded.bytes.reserve(values.size() * sizeof(float));
  for (const double v : values) {
    if (std::abs(v) > std::numeric_limits<float>::max()) return std::nullopt;
    const auto shorter = static_cast<float>(v);
    if (!same_bits(static_cast<double>(shorter), v)) return std::nullopt;
    append_number(coded.bytes, shorter);
  }
  return coded;
}

CodedValues encode_as_doubles(std::span<const double> values) {
  return {.code = ValueCode::float64,
          .bytes = {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)}};
}

CodedValues encode_values(std::span<const double> values, bool a_byte_each) {
  // From the shortest code to the longest, except that four-byte decimals come before floats.
  if (auto coded = encode_as_table(values, a_byte_each)) return *coded;
  if (auto coded = encode_as_decimals(values)) return *coded;
  if (auto coded = encode_as_floats(values)) return *coded;
  return encode_as_doubles(values);
}

bool decode_values(ValueCode code, std::uint32_t parameter, std::string_view bytes,
                   std::span<double> values) {
  switch (code) {
    case ValueCode::table:
      return decode_table(parameter, bytes, values);
    case ValueCode::decimal16:
      return decode_decimals<std::int16_t>(parameter, bytes, values);
    case ValueCode::decimal32:
      return decode_decimals<std::int32_t>(parameter, bytes, values);
    case ValueCode::float32:
      return decode_floats<float>(bytes, values);
    case ValueCode::float64:
      return decode_floats<double>(bytes, values);
  }
  return false;
}

}  // namespace askfew
