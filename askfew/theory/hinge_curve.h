#pragma once

#include <functional>
#include <vector>

namespace askfew {

/// The hinge loss of a comparator u as a function of its length. A bound that holds for every u and gamma > 0
/// depends only on u/gamma: instead of changing gamma, the code scales u, and gamma stays 1.
class HingeCurve {
 public:
  /// `margins`: y u.x of some examples, each with weight `weight`.
  explicit HingeCurve(std::vector<double> margins, double weight = 1);

  /// weight times the sum of (1 - length y u.x)+. O(log n). REQUIRES: length >= 0.
  [[nodiscard]] double loss(double length) const;
  /// weight times the sum of (y u.x)^2.
  [[nodiscard]] double squares() const { return squares_; }
  /// The smallest y u.x; infinite without examples.
  [[nodiscard]] double least() const;

  struct Best {
    double length = 0;
    double value = 0;
  };
  /// The smallest value(length) that a line search finds: over at least three lengths per power of two,
  /// between the length at which all examples have a loss and the length at which none has, then between the
  /// neighbours of the best.
  [[nodiscard]] Best minimize(const std::function<double(double length)>& value) const;

 private:
  std::vector<double> margins_;  // ascending
  std::vector<double> sums_;     // partial sums
  double weight_;
  double squares_ = 0;
};

}  // namespace askfew
