#pragma once

#include <array>
#include <cstdint>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/linalg/scaled_weights.h"

namespace askfew {

/// The Shifting Perceptron (Cavallanti, Cesa-Bianchi, Gentile 2007; a baseline of Moroshko, Crammer 2014, who
/// describe it as shrinking "the weight vector each iteration, and in this way weakens dependence on the
/// past"): older updates fade, so that the learner can follow a moving target.
///
///   margin  m = w.x
///   update  number k = 0, 1, ...: w = (1 - l) w + y x with l = lambda / (lambda + k)
///
/// After n updates the j-th update has weight about (j/n)^lambda. Promise (|x| = 1, policy mistake): |w|^2
/// grows like n/(2 lambda + 1), where the Perceptron's grows like n.
/// Cost of a round: O(nnz); the shrinking is one multiplication (ScaledWeights).
template <class Weights>
class ShiftingOf {
 public:
  template <class W>
  using With = ShiftingOf<W>;
  struct Params {
    double lambda = 0.01;
    static constexpr auto table() {
      return std::array{Param<Params>{"lambda", &Params::lambda, positive(),
                                      "a larger value forgets faster; near 0 gives the Perceptron"}};
    }
  };
  static constexpr LearnerInfo info{
      .name = "shifting",
      .formula = "m = w.x; k-th update: w = (1-l) w + y x, l = lambda/(lambda+k)",
      .paper = "Cavallanti et al. 2007; Moroshko and Crammer 2014, Sec. 5",
      .test_params = "lambda=4"};

  ShiftingOf(const Params& params, const Setting& /*setting*/, Weights w = {})
      : params_(checked(info.name, params)), w_(std::move(w)) {}

  [[nodiscard]] double margin(const FeatureView& x) const { return w_.dot(x); }
  void update(const FeatureView& x, Label y, double /*margin*/) {
    const double k = static_cast<double>(updates_);
    // At k = 0 there is nothing to shrink, and 1 - l = 0 would make the scale 0.
    w_.scale_and_add(updates_ == 0 ? 1 : k / (params_.lambda + k), sign(y), x);
    ++updates_;
  }

  [[nodiscard]] std::vector<double> weights() const { return w_.values(); }

  static void state(auto& self, auto& visit) {
    visit("w", self.w_);
    visit("updates", self.updates_);
  }

 private:
  Params params_;
  ScaledWeightsOf<Weights> w_;
  std::uint64_t updates_ = 0;
};
using Shifting = ShiftingOf<std::vector<double>>;

}  // namespace askfew
