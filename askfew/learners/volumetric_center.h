#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/linalg/sparse.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// Vaidya's volumetric centre of the cone of consistent hyperplanes (Cesa-Bianchi's slides, part 3; Vaidya
/// 1996; simplified as in Anstreicher 1997).
///
///   The hyperplanes of norm at most 1 that are right about all mistakes so far lie in the polytope
///   {u : a_i.u >= b_i}, which starts as the cube |u_j| <= 1. With slacks s_i = a_i.u - b_i:
///     H(u) = sum of a_i a_i'/s_i^2,  V(u) = 1/2 ln det H(u),  leverages h_i = a_i' H^-1 a_i / s_i^2 (sum d)
///   margin  m = w.x, w the minimum of V
///   update  a = y x/|x|; add a.u >= a.w - (a' H^-1 a)^(1/2)/4, which lies just behind w so that w stays
///           inside; find the minimum again; while the smallest leverage is below 1/50, drop its constraint
///           and find the minimum again
///   minimum steps min(1/2, 1/2 / max_i |a_i.p|/s_i) p with p = Q^-1 sum of h_i a_i/s_i, Q = sum of
///           h_i a_i a_i'/s_i^2 <= V'' <= 3 Q, until (p'Qp)^(1/2) <= 1/1000
///
/// Promise (policy mistake, rule always): if y u.x >= 1 on every round, |u| = U, |x| <= X, then
///   mistakes <= 64 d ln(51 d (1 + UX)).
/// Reason: the polytope always contains a ball of radius 1/(1 + UX) (see ellipsoid.h) and lies in the
/// ellipsoid
/// {u : (u-w)'H(u-w) <= (51 d)^2}, so that V <= d ln(51 d (1 + UX)), while V rises by at least 0.0178 per
/// mistake, including the dropped constraints. (In practice by 0.3 or more.) docs/algorithms has the proof.
/// The parameter U stands for UX. If no such u separates the stream, the ellipsoid becomes thinner than the
/// ball along some x, or a matrix becomes numerically singular: then the learner starts again from the cube,
/// and counts a restart.
/// Cost of a round: O(nnz); of an update, about ten steps of O(n d^2), n <= 50 d constraints (in practice
/// below 10 d). REQUIRES: a dimension known up front, at most 64.
class VolumetricCenter {
 public:
  struct Params {
    double U = 1000;
    static constexpr auto table() {
      return std::array{
          Param<Params>{"U", &Params::U, between(1, 1e6), "upper bound of |u||x| for a u with y u.x >= 1"}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "volumetric-center",
      .formula =
          "m = w.x, w = argmin ln det H; add a.u >= a.w - sqrt(a' H^-1 a)/4, a = y x/|x|; drop "
          "constraints of leverage < 1/50",
      .paper = "slides, part 3; Vaidya 1996; Anstreicher 1997",
      .test_params = "U=300"};
  static constexpr bool updates_on_mistakes_only = true;
  static bool needs_dimension(const Params& /*params*/) { return true; }

  VolumetricCenter(const Params& params, const Setting& setting);

  [[nodiscard]] double margin(const FeatureView& x) const { return dot(w_, x); }
  void update(const FeatureView& x, Label y, double margin);

  [[nodiscard]] std::vector<double> weights() const { return w_; }

  static void state(auto& self, auto& visit) {
    visit("w", self.w_);
    visit("a", self.normals_);
    visit("b", self.offsets_);
    visit("restarts", self.restarts_);
  }
  /// Could the loaded state have been saved by this learner?
  [[nodiscard]] bool consistent() const;

 private:
  void start();
  // Each function returns false if rounding leaves no polytope with w inside.
  bool cut(double height);
  bool weigh();
  bool find_minimum();

  Params params_;
  std::size_t dimension_;
  MemoryShare memory_;
  std::vector<double> w_;
  std::vector<double> normals_;  // a_i, one after the other
  std::vector<double> offsets_;  // b_i
  std::uint64_t restarts_ = 0;
  // Scratch of one update.
  std::vector<double> normal_;
  std::vector<double> slacks_;
  std::vector<double> leverages_;
  std::vector<double> hessian_;    // the Cholesky factor of H
  std::vector<double> leveraged_;  // the Cholesky factor of Q
  std::vector<double> step_;
  std::vector<double> solved_;
};

}  // namespace askfew
