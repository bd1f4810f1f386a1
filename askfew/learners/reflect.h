#pragma once

#include <array>
#include <span>
#include <vector>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/linalg/sparse.h"

namespace askfew {

/// Reflection across the instance: the DKM update (Dasgupta, Kalai, Monteleoni 2005, in Monteleoni,
/// Kaariainen 2007, Figure 1) with step 2, the modified Perceptron of Blum et al. (1998) with step 1.
///
///   margin  m = v.x
///   start   v = y0 x0 with the first non-zero instance, whose label is always asked
///   update  v -= step (v.x) x
///
/// Promise: after a mistake, step 2 keeps |v| = 1 and flips the sign of the margin.
/// Cost of a round: O(nnz). REQUIRES: |x| = 1.
template <class Weights>
class ReflectOf {
 public:
  template <class W>
  using With = ReflectOf<W>;
  struct Params {
    double step = 2;
    static constexpr auto table() {
      return std::array{Param<Params>{"step", &Params::step, Range{.low = 0, .high = 2, .low_open = true},
                                      "2 gives the DKM update, 1 the modified Perceptron"}};
    }
  };
  static constexpr LearnerInfo info{.name = "reflect",
                                    .formula = "m = v.x; v starts at y0 x0; v -= step (v.x) x",
                                    .paper = "Monteleoni and Kaariainen 2007, Fig. 1; Blum et al. 1998",
                                    .unit_norm = true,
                                    .test_params = "step=2 step=1"};
  static constexpr bool updates_on_mistakes_only = true;

  ReflectOf(const Params& params, const Setting& /*setting*/, Weights v = {})
      : params_(checked(info.name, params)), v_(std::move(v)) {}

  [[nodiscard]] bool started() const { return started_; }
  void start(const FeatureView& x, Label y) {
    if (x.squared_norm() == 0) return;  // no direction to start from
    add_update(v_, sign(y), x);
    started_ = true;
  }

  [[nodiscard]] double margin(const FeatureView& x) const { return dot(v_, x); }
  [[nodiscard]] std::size_t margin_place() const
    requires HasPlace<Weights>
  {
    return v_.place();
  }
  void update(const FeatureView& x, Label /*y*/, double margin) { add_update(v_, -params_.step * margin, x); }

  [[nodiscard]] std::vector<double> weights() const { return values_of(v_); }
  void set_weights(std::span<const double> weights) { replace_values(v_, weights); }

  static void state(auto& self, auto& visit) {
    visit("v", self.v_);
    visit("started", self.started_);
  }

 private:
  Params params_;
  Weights v_;
  bool started_ = false;
};
using Reflect = ReflectOf<std::vector<double>>;

}  // namespace askfew
