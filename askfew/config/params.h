#pragma once

// Tables of the parameters of an algorithm, with their ranges, and checks of their values.

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "askfew/core/errors.h"

namespace askfew {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double max_count = 0x1.0p53;  ///< doubles count exactly up to here

/// The values that a parameter accepts.
struct Range {
  double low = -infinity;
  double high = infinity;
  bool low_open = false;
  bool high_open = false;
  bool integral = false;
  std::span<const std::string_view> choices{};  ///< names of the values 0, 1, ..., if the values have names

  [[nodiscard]] bool contains(double value) const;
  [[nodiscard]] std::string text() const;  ///< "(0, inf)", "integer >= 1", "linear, polynomial or rbf"
  [[nodiscard]] std::string text_of(double value) const;  ///< the value's name, or its digits
  /// The value of a text; nothing if the text is neither a choice nor a number.
  [[nodiscard]] std::optional<double> parse(std::string_view text) const;
};

constexpr Range positive() {
  return {.low = 0, .high = infinity, .low_open = true, .high_open = true};
}
constexpr Range at_least(double low) {
  return {.low = low, .high = infinity, .high_open = true};
}
constexpr Range count_from(double low) {
  return {.low = low, .high = max_count, .integral = true};
}
constexpr Range between(double low, double high) {
  return {.low = low, .high = high};
}
constexpr Range either() {
  return {.low = 0, .high = 1, .integral = true};
}
/// Values with names; the first name has value 0. REQUIRES: choices have static lifetime.
constexpr Range one_of(std::span<const std::string_view> choices) {
  return {.low = 0, .high = static_cast<double>(choices.size()) - 1, .integral = true, .choices = choices};
}

/// One row of an algorithm's parameter table. The table is a static member of the algorithm's `Params`, whose
/// fields hold the defaults; help, JSON, snapshots and checks use the table.
template <class P>
struct Param {
  std::string_view name;
  double P::*field;
  Range range;
  std::string_view help;
};

/// Params of an algorithm without parameters.
struct NoParams {};

template <class P>
constexpr auto param_table() {
  return P::table();
}
template <>
constexpr auto param_table<NoParams>() {
  struct Empty {
    [[nodiscard]] constexpr const Param<NoParams>* begin() const { return nullptr; }
    [[nodiscard]] constexpr const Param<NoParams>* end() const { return nullptr; }
  };
  return Empty{};
}

[[noreturn]] void throw_out_of_range(std::string_view algorithm, std::string_view param, double value,
                                     const Range& range);

/// Returns params if every value is in its range. THROWS: ConfigError with name, value and range.
template <class P>
P checked(std::string_view algorithm, const P& params) {
  for (const Param<P>& param : param_table<P>()) {
    const double value = params.*param.field;
    if (!param.range.contains(value)) throw_out_of_range(algorithm, param.name, value, param.range);
  }
  return params;
}

}  // namespace askfew
