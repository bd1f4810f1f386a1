#pragma once

#include <functional>
#include <vector>

namespace askfew {

/// The hinge loss of a comparator u at every length of it. A bound that holds for every u and gamma > 0
/// depends on u/gamma alone: instead of gamma, u is made longer, and gamma stays 1.
class HingeCurve {
 public:
  /// `margins`: y u.x of some examples, each of which weighs `weight`.
  explicit HingeCurve(std::vector<double> margins, double weight = 1);

  /// weight times the sum of (1 - length y u.x)+. O(log n). REQUIRES: length >= 0.
  [[nodiscard]] double loss(double length) const;
  /// weight times the sum of (y u.x)^2.
  [[nodiscard]] double squares() const { return squares_; }
  /// The smallest y u.x; infinite if there is no example.
  [[nodiscard]] double least() const;

  struct Best {
    double length = 0;
    double value = 0;
  };
  /// The smallest value(length) that a line search finds: over three lengths or more in every power of two
  /// between those at which all examples and none of them suffer, then between the neighbours of the best.
  [[nodiscard]] Best minimize(const std::function<double(double length)>& value) const;

 private:
  std::vector<double> margins_;  // ascending
  std::vector<double> sums_;     // of the first so many
  double weight_;
  double squares_ = 0;
};

}  // namespace askfew
