#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/linalg/sparse.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// The centre of gravity of the cone of consistent hyperplanes, by random walks (Cesa-Bianchi's slides, part
/// 3; Levin 1965; Bertsimas, Vempala 2004).
///
///   The hyperplanes of norm at most 1 that are right about all mistakes so far lie in the convex body
///   K = {|u| <= 1, a_i.u >= c_i}, represented by N = samples * d random points of it.
///   margin  m = w.x, w the mean of the points (0 before the first cut)
///   update  a = y x/|x|; cut K with a.u >= c, c = 0 if at least N/8 points (or one) are on that side, else
///   the
///           largest c <= 0 that leaves them, but never below a.w; the remaining points are repeated in turn
///           until there are N; each takes 4 steps of hit-and-run
///   step    along p - q, two of the points before the cut drawn at random, to a random place of the chord
///           in K. Such directions follow the shape of K: the walk needs no rounding of a thin body.
///
/// Promise (policy mistake, rule always): if y u.x >= 1 on every round, |u| = U, |x| <= X, then
///   mistakes <= d ln(1 + UX) / -ln(1 - 1/e + t)                              2.18 d ln(1 + UX) with t = 0,
/// t < 1/e the distance of w to the centre in units of K's standard deviations; N independent points have
/// E t^2 = 1/samples. Reason: K always contains a ball of radius 1/(1 + UX) (see ellipsoid.h), and a cut
/// behind w, c >= a.w, leaves at most the share 1 - 1/e + t of the volume (Gruenbaum 1960; Bertsimas, Vempala
/// 2004). The parameter U stands for UX. After d ln(1 + U)/ln(4/3) cuts, even cuts that leave 3/4 of the
/// volume would have left less than the ball: no such u separates the stream. Then, or if the points no
/// longer differ along x, the learner starts again from the unit ball, and counts a restart.
/// Cost of a round: O(nnz); of an update, 4 N chords of O(d) for each cut so far. REQUIRES: the dimension up
/// front, at most 64.
class GravityCenter {
 public:
  struct Params {
    double U = 1000;
    double samples = 20;
    static constexpr auto table() {
      return std::array{
          Param<Params>{"U", &Params::U, between(1, 1e6), "upper bound of |u||x| for a u with y u.x >= 1"},
          Param<Params>{"samples", &Params::samples, Range{.low = 2, .high = 200, .integral = true},
                        "random points per feature"}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "gravity-center",
      .formula = "m = w.x, w = mean of random points of K; K = K and {a.u >= c}, a.w <= c <= 0, a = y x/|x|",
      .paper = "slides, part 3; Levin 1965; Bertsimas and Vempala 2004",
      .test_params = "U=300,samples=3"};
  static constexpr bool updates_on_mistakes_only = true;
  static bool needs_dimension(const Params& /*params*/) { return true; }

  GravityCenter(const Params& params, const Setting& setting);

  [[nodiscard]] double margin(const FeatureView& x) const { return dot(w_, x); }
  void update(const FeatureView& x, Label y, double margin);

  [[nodiscard]] std::vector<double> weights() const { return w_; }

  static void state(auto& self, auto& visit) {
    visit("w", self.w_);
    visit("points", self.points_);
    visit("a", self.normals_);
    visit("c", self.offsets_);
    visit("draws", self.draws_);
    visit("restarts", self.restarts_);
  }
  /// Could the loaded state have been saved by this learner?
  [[nodiscard]] bool consistent() const;

 private:
  void start();
  bool can_cut(double height);
  void cut(double height);
  void walk(std::span<double> point);
  [[nodiscard]] std::span<double> point(std::size_t k) {
    return {points_.data() + k * dimension_, dimension_};
  }
  double draw() { return coin_(++draws_); }

  Params params_;
  std::size_t dimension_;
  std::size_t count_;     // N
  std::size_t max_cuts_;  // number of cuts before a restart
  MemoryShare memory_;
  Coin coin_;
  std::vector<double> w_;
  std::vector<double> points_;   // one after the other; empty before the first cut
  std::vector<double> normals_;  // a_i, one after the other
  std::vector<double> offsets_;  // c_i
  std::uint64_t draws_ = 0;
  std::uint64_t restarts_ = 0;
  // Scratch of one update.
  std::vector<double> normal_;
  std::vector<double> heights_;  // a.p of the points
  std::vector<double> sorted_;
  std::vector<std::size_t> left_;  // indices of the points on the right side of the cut
  std::vector<double> walked_;     // the points after the walk
  std::vector<double> direction_;
};

}  // namespace askfew
