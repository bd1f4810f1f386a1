#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

namespace askfew {

/// Levels, the logarithms of scales, lie between -max_level and max_level.
inline constexpr double max_level = 300;

/// The level at which a mean of probabilities is `rate`: the middle of the cell, out of 2^16 cells, that
/// bisection finds. `mean_at(level)` must never fall with the level, except for rounding errors. Returns
/// nothing if the rate is not between the means of the smallest and the largest level. Most means are
/// computed near `guess`: the closer it is, the fewer are needed. It does not change the result.
template <class MeanAt>
std::optional<double> level_of_mean(double rate, double guess, MeanAt&& mean_at) {
  constexpr int cells = 1 << 16;
  constexpr double cell = 2 * max_level / cells;
  const auto level_at = [](int place) { return -max_level + cell * place; };  // exact
  // A mean that differs from the rate by more than any rounding error shows on which side all means beyond
  // lie.
  constexpr double rounding = 1e-9;
  struct Known {
    int place = 0;
    double mean = 0;
  };
  std::optional<Known> small;
  std::optional<Known> large;
  const auto try_at = [&](int place) {
    const Known known{place, mean_at(level_at(place))};
    if (known.mean < rate * (1 - rounding)) small = known;
    if (known.mean > rate * (1 + rounding)) large = known;
  };
  const int near = static_cast<int>((std::clamp(guess, -max_level, max_level) + max_level) / cell);
  try_at(near);
  for (int distance = 12; distance < 200 && small.has_value() != large.has_value(); distance *= 4) {
    try_at(std::clamp(small ? near + distance : near - distance, 0, cells));
  }
  // Interpolation finds the cell in fewer steps than bisection, unless the mean jumps.
  for (int step = 0; step < 6 && small && large && large->place - small->place > 1; ++step) {
    const double part = (rate - small->mean) / (large->mean - small->mean);
    const int places = large->place - small->place;
    try_at(small->place + std::clamp(static_cast<int>(part * places), 1, places - 1));
  }
  int low = 0;
  int high = cells;
  if (!small && mean_at(level_at(low)) >= rate) return std::nullopt;
  if (!large && mean_at(level_at(high)) <= rate) return std::nullopt;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    const bool is_known = (small && middle <= small->place) || (large && middle >= large->place);
    const bool is_low = is_known ? small && middle <= small->place : mean_at(level_at(middle)) < rate;
    (is_low ? low : high) = middle;
  }
  return (level_at(low) + level_at(high)) / 2;
}

}  // namespace askfew
