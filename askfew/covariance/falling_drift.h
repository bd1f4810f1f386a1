#pragma once

#include <algorithm>
#include <cmath>

#include "askfew/core/label.h"
#include "askfew/math/logistic.h"

namespace askfew {

/// The part of its drift that a learner needs at a label. The target may have moved, but if it stays, a drift
/// keeps the learner from learning ever more exactly. So the drift falls, unless the labels show that the
/// target moves: then surprises of the same sign follow each other. Not from a paper.
///
///   e = y s(-y m/sqrt(1 + pi v/8))        the surprise: the label, 0 or 1, minus its probability
///   c = sum of e e', u = sum of e^2, q = sum of (e e')^2;  e' is the surprise before, and after each label
///                                         the sums before it count 1/200 less
///   part = max(min(1, fall/n), min(1, 10 (c - sqrt q)/u))        n labels so far
class FallingDrift {
 public:
  /// `fall`: the labels after which the part begins to fall.
  explicit FallingDrift(double fall) : fall_(fall) {}

  /// A label, its margin and the variance of the margin before it was learned; returns the part.
  double part_after(Label y, double margin, double variance) {
    constexpr double eighth_of_pi = 0.39269908169872414;
    constexpr double kept = 1 - 1.0 / 200;
    constexpr double gain = 10;
    const double tempered = margin / std::sqrt(1 + eighth_of_pi * variance);
    const double surprise = sign(y) * math::sigmoid(-sign(y) * tempered);
    const double product = surprise * last_;
    ++labels_;
    products_ = kept * products_ + product;
    squares_ = kept * squares_ + surprise * surprise;
    squared_products_ = kept * squared_products_ + product * product;
    last_ = surprise;
    const double surplus = products_ - std::sqrt(squared_products_);
    const double moved = surplus > 0 ? std::min(1.0, gain * (surplus / squares_)) : 0;
    return std::max(std::min(1.0, fall_ / labels_), moved);
  }

  static void state(auto& self, auto& visit) {
    visit("labels", self.labels_);
    visit("last", self.last_);
    visit("products", self.products_);
    visit("squares", self.squares_);
    visit("squared_products", self.squared_products_);
  }
  [[nodiscard]] bool consistent() const {
    return labels_ >= 0 && std::abs(last_) <= 1 && squares_ >= 0 && squared_products_ >= 0;
  }

 private:
  double fall_;
  double labels_ = 0;
  double last_ = 0;
  double products_ = 0;
  double squares_ = 0;
  double squared_products_ = 0;
};

}  // namespace askfew
