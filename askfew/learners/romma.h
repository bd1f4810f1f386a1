#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/linalg/scaled_weights.h"

namespace askfew {

/// ROMMA, the relaxed online maximum margin algorithm (Li, Long 2002). The half-space u.w >= ww stands for
/// all earlier constraints. Among the vectors u in this half-space that satisfy the new constraint y u.x >=
/// 1, the learner takes the shortest, which has the largest margin.
///
///   margin  m = w.x                      w starts at 0
///   update  w = y x/xx                   if y m >= xx ww (also at the first update, where w = 0)
///           w = c w + d y x              else, with c = (xx ww - y m)/D, d = ww (1 - y m)/D, D = xx ww - m^2
///
/// The policy `mistake` gives ROMMA; the policy `margin`, which updates if y m < 1, gives aggressive ROMMA.
/// Promise (either policy, rule always): if y u.x >= 1 on every round and |x| <= X, then
///   mistakes <= |u|^2 X^2,
/// because |w| <= |u| always, and each mistake adds at least 1/X^2 to |w|^2.
/// DIFFERS FROM PAPER: the paper says nothing about streams that no u separates; there |w| grows without
/// limit. If |w| X would exceed 10^3, no u with |u| X <= 10^3 separates the stream: the learner starts again
/// with w = y x/xx and counts a restart. Cost of a round: O(nnz), with a running |w|^2.
template <class Weights>
class RommaOf {
 public:
  template <class W>
  using With = RommaOf<W>;
  using Params = NoParams;
  static constexpr LearnerInfo info{.name = "romma",
                                    .formula = "m = w.x; w = the shortest u with u.w >= ww and y u.x >= 1",
                                    .paper = "Li and Long 2002"};

  RommaOf(const Params& /*params*/, const Setting& /*setting*/, Weights w = {}) : w_(std::move(w)) {}

  [[nodiscard]] double margin(const FeatureView& x) const { return w_.dot(x); }
  [[nodiscard]] static bool suffers(Label y, double margin) { return sign(y) * margin < 1; }
  void update(const FeatureView& x, Label y, double margin) {
    const double xx = x.squared_norm();
    expect_update(xx);
    const double ym = sign(y) * margin;
    if (xx == 0 || ym >= 1) return;
    const double product = xx * squared_norm_;
    if (ym >= product) {
      start(x, y);
      return;
    }
    const double apart = product - margin * margin;  // D, 0 where x and w are parallel
    const double factor = (product - ym) / apart;
    const double step = squared_norm_ * (1 - ym) / apart;
    const double squared_norm = factor * squared_norm_ + step;  // |u|^2, since u.w = ww and y u.x = 1
    if (apart > 0 && factor <= max_growth && xx * squared_norm <= max_growth) {
      expect_update(squared_norm);
      w_.scale_and_add(factor, step * sign(y), x);
      squared_norm_ = squared_norm;
    } else {
      start(x, y);
      ++restarts_;
    }
  }
  [[nodiscard]] std::vector<double> weights() const { return w_.values(); }

  static void state(auto& self, auto& visit) {
    visit("w", self.w_);
    visit("squared_norm", self.squared_norm_);
    visit("restarts", self.restarts_);
  }
  [[nodiscard]] bool consistent() const { return squared_norm_ >= 0; }

 private:
  static constexpr double max_growth = 1e6;  // limit of |u|^2 xx and of c

  void start(const FeatureView& x, Label y) {
    const double squared_norm = 1 / x.squared_norm();
    expect_update(squared_norm);
    w_.scale_and_add(0, sign(y) * squared_norm, x);
    squared_norm_ = squared_norm;
  }

  ScaledWeightsOf<Weights> w_;
  double squared_norm_ = 0;
  std::uint64_t restarts_ = 0;
};
using Romma = RommaOf<std::vector<double>>;

}  // namespace askfew
