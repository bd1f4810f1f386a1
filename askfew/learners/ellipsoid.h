#pragma once

#include <cstdint>
#include <vector>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/linalg/sparse.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// The ellipsoid method on the cone of consistent hyperplanes (Cesa-Bianchi's slides, part 3; Shor 1977;
/// Yudin, Nemirovski 1976; with the deep cuts of Bland, Goldfarb, Todd 1981).
///
///   The hyperplanes of norm at most 1 that are right about all mistakes so far lie in the ellipsoid
///   {w + B z : |z| <= 1}, which starts as the unit ball, w = 0, B = I.
///   margin  m = w.x
///   update  the smallest ellipsoid around the half {u : y u.x >= 0} of the old one:
///           g = B' y x,  a = -y m/|g|,  w += (1 + d a)/(d + 1) B g/|g|,
///           B = d ((1 - a^2)/(d^2 - 1))^(1/2) (B - (1 - s) B g g'/gg),  s^2 = (d-1)(1-a)/((d+1)(1+a))
///
/// Promise (policy mistake, rule always): if y u.x >= 1 on every round, |u| = U, |x| <= X, then
///   mistakes <= 2 d (d+1) ln(1 + U X).
/// Reason: all points of the ball of radius r = 1/(1 + UX) around (1 - r) u/U classify every x correctly and
/// have norm at most 1, so the ball stays inside the ellipsoid; and a mistake, a >= 0, shrinks the volume by
/// the factor e^(-1/(2(d+1))) or more.
/// On streams that are not separable the ellipsoid becomes flat. Its half-width along x, |g|/|x|, is at least
/// r on a separable one; below 1e-10 the learner starts again from the unit ball, and counts a restart.
/// DIFFERS FROM PAPER: O(d^2) per update, where the slides have O(d^3), because a cut changes B by a matrix
/// of rank one. Storing B instead of B B' keeps the matrix positive definite despite rounding. A single
/// feature is treated as two. Cost of a round: O(nnz), of an update O(d^2). REQUIRES: the dimension up front,
/// at most 256.
class Ellipsoid {
 public:
  using Params = NoParams;
  static constexpr LearnerInfo info{
      .name = "ellipsoid",
      .formula = "m = w.x; {w + B z : |z| <= 1} becomes the smallest ellipsoid around its half y u.x >= 0",
      .paper = "slides, part 3; Bland, Goldfarb and Todd 1981"};
  static constexpr bool updates_on_mistakes_only = true;
  static bool needs_dimension(const Params& /*params*/) { return true; }

  Ellipsoid(const Params& params, const Setting& setting);

  [[nodiscard]] double margin(const FeatureView& x) const { return dot(w_, x); }
  void update(const FeatureView& x, Label y, double margin);

  [[nodiscard]] std::vector<double> weights() const { return w_; }

  static void state(auto& self, auto& visit) {
    visit("w", self.w_);
    visit("B", self.shape_);
    visit("restarts", self.restarts_);
  }
  /// Could the loaded state have been saved by this learner?
  [[nodiscard]] bool consistent() const {
    return w_.size() == dimension_ && shape_.size() == dimension_ * dimension_;
  }

 private:
  void start();

  std::size_t dimension_;
  MemoryShare memory_;
  std::vector<double> w_;
  std::vector<double> shape_;  // B, row by row
  std::uint64_t restarts_ = 0;
  // Scratch of one update.
  std::vector<double> normal_;
  std::vector<double> g_;
};

}  // namespace askfew
