#pragma once

#include <array>
#include <span>
#include <vector>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/linalg/sparse.h"

namespace askfew {

/// The Perceptron (Rosenblatt 1958; Cesa-Bianchi, Gentile, Zaniboni 2006, Figure 1; with a learning rate as
/// in Monteleoni, Kaariainen 2007, Figure 2).
///
///   margin  m = w.x              w starts at 0
///   update  w += rate y x
///
/// Promise (2006, Theorem 1, rate 1, rule margin(b), policy mistake): for every u and gamma > 0
///   E[mistakes] <= (1 + X^2/2b) L/gamma + |u|^2 (2b + X^2)^2 / (8 b gamma^2).
/// Cost of a round: O(nnz).
template <class Weights>
class PerceptronOf {
 public:
  template <class W>
  using With = PerceptronOf<W>;
  struct Params {
    double rate = 1;
    static constexpr auto table() {
      return std::array{Param<Params>{"rate", &Params::rate, positive(), "step size of an update"}};
    }
  };
  static constexpr LearnerInfo info{.name = "perceptron",
                                    .formula = "m = w.x; w += rate y x",
                                    .paper = "Rosenblatt 1958; Cesa-Bianchi et al. 2006, Fig. 1",
                                    .test_params = "rate=0.5"};

  PerceptronOf(const Params& params, const Setting& /*setting*/, Weights w = {})
      : params_(checked(info.name, params)), w_(std::move(w)) {}

  [[nodiscard]] double margin(const FeatureView& x) const { return dot(w_, x); }
  [[nodiscard]] std::size_t margin_place() const
    requires HasPlace<Weights>
  {
    return w_.place();
  }
  void update(const FeatureView& x, Label y, double /*margin*/) { add_update(w_, params_.rate * sign(y), x); }

  [[nodiscard]] std::vector<double> weights() const { return values_of(w_); }
  void set_weights(std::span<const double> weights) { replace_values(w_, weights); }

  static void state(auto& self, auto& visit) { visit("w", self.w_); }

 private:
  Params params_;
  Weights w_;
};
using Perceptron = PerceptronOf<std::vector<double>>;

}  // namespace askfew
