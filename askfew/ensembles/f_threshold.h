#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "askfew/core/label.h"
#include "askfew/math/elementary.h"

namespace askfew {

/// The threshold on margins for a large F. F does not count true negatives, so it is right to predict
/// positive even for a probability a little below 1/2, and to predict positive always if nothing is known.
///
///   P(y = 1 | m) = 1/(1 + exp(-(a m + b)))   first a = 3, b = 0 and H = I; then, per label:
///                                            H += P(1 - P) (m, 1)(m, 1)',  (a, b) += H^-1 (y - P)(m, 1)
///   shift        = (b - ln(t/(1 - t)))/a,    so that m + shift > 0 where P > t
///   t            = F/2 of that shift, each label predicted with the a and b after learning it
///
/// The threshold of the largest F is half of that F (Busa-Fekete et al. 2015; Lipton et al. 2014). Margins of
/// a new learner are poorly calibrated. So no shift, half the shift and the whole shift are tried, and the
/// choice with the largest F on the labels so far is used; here each label is predicted before it is learned.
/// The default is no shift: F after n positives is uncertain by about 1/sqrt(n), and the other choices must
/// be better by 0.4 of that.
class FThreshold {
 public:
  /// The number to add to a margin.
  [[nodiscard]] double shift() const { return shares[used_] * whole_shift(); }

  void learn(double margin, Label y) {
    const double whole = whole_shift();
    for (std::size_t k = 0; k < shares.size(); ++k) tried_[k].add(margin + shares[k] * whole, y);
    positives_ += y == Label::positive ? 1 : 0;
    double most = tried_[0].half_f() + 0.5 * 0.4 / std::sqrt(positives_ + 1);
    used_ = 0;
    for (std::size_t k = 1; k < shares.size(); ++k) {
      if (tried_[k].half_f() <= most) continue;
      most = tried_[k].half_f();
      used_ = k;
    }
    calibrate(margin, y);
    calibrated_.add(margin + whole_shift(), y);
  }

  /// Could the loaded numbers come from labels?
  [[nodiscard]] bool consistent() const {
    return used_ < shares.size() && positives_ >= 0 && a_ >= least_slope && determinant() > 0;
  }
  static void state(auto& self, auto& visit) {
    visit("a", self.a_);
    visit("b", self.b_);
    visit("H_aa", self.h_aa_);
    visit("H_ab", self.h_ab_);
    visit("H_bb", self.h_bb_);
    visit("calibrated", self.calibrated_);
    visit("positives", self.positives_);
    visit("used", self.used_);
    for (std::size_t k = 0; k < shares.size(); ++k) visit("tried" + std::to_string(k), self.tried_[k]);
  }

 private:
  static constexpr std::array shares{0.0, 0.5, 1.0};
  static constexpr double least_slope = 0.05;
  static constexpr double max_logit = 20;

  struct Judged {
    double right = 0;   ///< true positives
    double either = 0;  ///< positive labels plus positive predictions

    void add(double margin, Label y) {
      const bool called = margin > rounding;
      either += (called ? 1 : 0) + (y == Label::positive ? 1 : 0);
      right += called && y == Label::positive ? 1 : 0;
    }
    [[nodiscard]] double half_f() const { return either > 0 ? right / either : 0.5; }
    static void state(auto& self, auto& visit) {
      visit("right", self.right);
      visit("either", self.either);
    }
  };
  static constexpr double rounding = 1e-12;  // treats nearly equal sums as equal, whatever the order of
                                             // additions

  [[nodiscard]] double whole_shift() const {
    const double t = std::clamp(calibrated_.half_f(), 0.02, 0.98);
    return (b_ - math::log(t / (1 - t))) / a_;
  }
  [[nodiscard]] double determinant() const { return h_aa_ * h_bb_ - h_ab_ * h_ab_; }
  /// One step of Newton's method on the logistic loss. A label with P close to 0 or 1 gives no information
  /// about the threshold, and an unexpected label there would flatten P everywhere.
  void calibrate(double m, Label y) {
    const double logit = a_ * m + b_;
    if (std::abs(logit) > max_logit) return;
    const double p = 1 / (1 + math::exp(-logit));
    const double error = (y == Label::positive ? 1 : 0) - p;
    const double curvature = std::max(p * (1 - p), 1e-3);  // a surprising label can always change the fit
    h_aa_ += curvature * m * m;
    h_ab_ += curvature * m;
    h_bb_ += curvature;
    a_ = std::max(a_ + error * (h_bb_ * m - h_ab_) / determinant(), least_slope);
    b_ += error * (h_aa_ - h_ab_ * m) / determinant();
  }

  double a_ = 3;
  double b_ = 0;
  double h_aa_ = 1;
  double h_ab_ = 0;
  double h_bb_ = 1;
  Judged calibrated_;
  std::array<Judged, shares.size()> tried_{};
  double positives_ = 0;
  std::uint64_t used_ = 0;  // index into `shares`
};

}  // namespace askfew
