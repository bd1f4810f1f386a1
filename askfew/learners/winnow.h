#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/linalg/exact_sum.h"
#include "askfew/linalg/sparse.h"

namespace askfew {

/// Zero-threshold Winnow (Littlestone 1988; Cesa-Bianchi, Gentile, Zaniboni 2006, Figure 4).
///
///   margin  m = w.x, w starts at 1/d each
///   update  w_i *= exp(eta y x_i), then w is divided by its sum
///
/// Promise (2006, Theorem 4, with eta = 2 (1-a) gamma / X^2, rule margin(b = a gamma), 0 < a < 1): for every
/// u in the simplex, E[mistakes] <= L/(a gamma) + X^2 ln d / (2 a (1-a) gamma^2), X the largest |x_i|. Cost
/// of a round: O(nnz): the code stores u with w = u / sum u, and updates the sum exactly. REQUIRES: a
/// dimension known up front.
class Winnow {
 public:
  struct Params {
    double eta = 0.5;
    static constexpr auto table() {
      return std::array{Param<Params>{"eta", &Params::eta, positive(), "learning rate"}};
    }
  };
  static constexpr LearnerInfo info{.name = "winnow",
                                    .formula = "m = w.x; w_i *= exp(eta y x_i); w /= sum w",
                                    .paper = "Littlestone 1988; Cesa-Bianchi et al. 2006, Fig. 4",
                                    .test_params = "eta=0.3"};
  static constexpr bool weights_are_nonnegative = true;
  static bool needs_dimension(const Params& /*params*/) { return true; }

  Winnow(const Params& params, const Setting& setting);

  [[nodiscard]] double margin(const FeatureView& x) const { return dot(u_, x) / sum_.value(); }
  void update(const FeatureView& x, Label y, double margin);

  [[nodiscard]] std::vector<double> weights() const { return times(u_, 1 / sum_.value()); }

  static void state(auto& self, auto& visit) {
    visit("u", self.u_);
    visit("sum", self.sum_);
  }
  /// Could the loaded state have been saved by this learner?
  [[nodiscard]] bool consistent() const { return u_.size() == dimension_; }

 private:
  Params params_;
  std::size_t dimension_;
  std::vector<double> u_;
  ExactSum sum_;
};

/// Winnow on (x, -x), for targets with negative weights: 2d weights that start at 1/(2d).
class WinnowBalanced {
 public:
  using Params = Winnow::Params;
  static constexpr LearnerInfo info{
      .name = "winnow-balanced",
      .formula =
          "Winnow on (x,-x): m = (w+ - w-).x; w+_i *= exp(eta y x_i), w-_i *= exp(-eta y x_i); w /= sum w",
      .paper = "Littlestone 1988; Cesa-Bianchi et al. 2006, Fig. 4",
      .test_params = "eta=0.2"};
  static bool needs_dimension(const Params& /*params*/) { return true; }

  WinnowBalanced(const Params& params, const Setting& setting);

  [[nodiscard]] double margin(const FeatureView& x) const { return dot(difference_, x) / sum_.value(); }
  void update(const FeatureView& x, Label y, double margin);

  [[nodiscard]] std::vector<double> weights() const { return times(difference_, 1 / sum_.value()); }

  static void state(auto& self, auto& visit) {
    visit("plus", self.plus_);
    visit("minus", self.minus_);
    visit("difference", self.difference_);
    visit("sum", self.sum_);
  }
  /// Could the loaded state have been saved by this learner?
  [[nodiscard]] bool consistent() const {
    return plus_.size() == dimension_ && minus_.size() == dimension_ && difference_.size() == dimension_;
  }

 private:
  Params params_;
  std::size_t dimension_;
  std::vector<double> plus_;
  std::vector<double> minus_;
  std::vector<double> difference_;  // plus - minus, so that a margin is one dot product
  ExactSum sum_;
};

}  // namespace askfew
