#pragma once

// Why a label was asked or not.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "askfew/core/features.h"

namespace askfew {

/// A feature's share of a margin: the margin of this feature alone.
struct FeatureShare {
  FeatureView::Index index = 0;
  double share = 0;
};

/// The largest shares of a margin; among equal shares the first feature comes first.
class HeaviestFeatures {
 public:
  static constexpr std::size_t most = 3;

  void add(FeatureShare feature) {
    if (feature.share == 0) return;
    std::size_t at = size_;
    while (at > 0 && std::abs(all_[at - 1].share) < std::abs(feature.share)) --at;
    if (at == most) return;
    size_ = std::min(size_ + 1, most);
    std::move_backward(all_.begin() + at, all_.begin() + size_ - 1, all_.begin() + size_);
    all_[at] = feature;
  }
  [[nodiscard]] std::span<const FeatureShare> list() const { return std::span(all_).first(size_); }

 private:
  std::array<FeatureShare, most> all_{};
  std::size_t size_ = 0;
};

/// Why a label was asked or not, in addition to the query.
struct Explanation {
  bool started = true;  ///< false: the learner knows nothing yet, and asks whatever the rule says
  double scale = 0;     ///< scale of the rule in this round; 0: the rule has no scale
  /// The largest |margin| at which the rule would have asked with this round's coin, all else being equal.
  /// Infinity: the rule asks at any margin. Nothing: the rule asks at no margin.
  std::optional<double> threshold;
  bool held_back = false;     ///< the rule might have asked, but the budget did not allow it
  HeaviestFeatures heaviest;  ///< empty if the margin is not a sum over features
};

/// The largest |margin| for which `asks` is true. REQUIRES: `asks` is true up to a threshold and false above
/// it. The search runs over the bits, because numbers that are not negative have the same order as their
/// bits. The lowest bits are not searched: the result is too small by less than 10^-7 of itself. The result
/// is on the correct side of `given`.
template <class Asks>
std::optional<double> largest_margin(double given, Asks&& asks) {
  constexpr double most = std::numeric_limits<double>::max();
  constexpr std::uint64_t open = std::uint64_t{1} << 28;  // of the 2^52 numbers between two powers of two
  if (!asks(0.0)) return std::nullopt;
  if (asks(most)) return std::numeric_limits<double>::infinity();
  auto low = std::bit_cast<std::uint64_t>(0.0);
  auto high = std::bit_cast<std::uint64_t>(most);
  auto middle = std::bit_cast<std::uint64_t>(std::abs(given));
  while (high - low > open) {
    (asks(std::bit_cast<double>(middle)) ? low : high) = middle;
    middle = low + (high - low) / 2;
  }
  return std::bit_cast<double>(low);
}

}  // namespace askfew
