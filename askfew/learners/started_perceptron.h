#pragma once

#include <array>
#include <span>
#include <vector>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/linalg/sparse.h"

namespace askfew {

/// The Perceptron inside DKM (Monteleoni, Kaariainen 2007: Figure 1 with the update of Figure 2,
/// "DKMactivePerceptron"). From w = 0 every first answer "negative" is right, and would halve the threshold
/// of DKM before anything is learned. So w starts at the first labelled instance, whatever its label is.
///
///   margin  m = w.x
///   start   w = start y0 x0 with the first non-zero instance, whose label is always asked
///   update  w += rate y x
///
/// Cost of a round: O(nnz).
template <class Weights>
class StartedPerceptronOf {
 public:
  template <class W>
  using With = StartedPerceptronOf<W>;
  struct Params {
    double rate = 1;
    double start = 1;
    static constexpr auto table() {
      return std::array{Param<Params>{"rate", &Params::rate, positive(), "step size of an update"},
                        Param<Params>{"start", &Params::start, Range{.low = 0, .high = 1},
                                      "w starts at start y0 x0; 0 gives the Perceptron"}};
    }
  };
  static constexpr LearnerInfo info{.name = "started-perceptron",
                                    .formula = "m = w.x; w starts at start y0 x0; w += rate y x",
                                    .paper = "Monteleoni and Kaariainen 2007, Fig. 1 and 2",
                                    .test_params = "rate=0.5,start=1 rate=1,start=0"};

  StartedPerceptronOf(const Params& params, const Setting& /*setting*/, Weights w = {})
      : params_(checked(info.name, params)), w_(std::move(w)), started_(params.start == 0) {}

  [[nodiscard]] bool started() const { return started_; }
  void start(const FeatureView& x, Label y) {
    if (x.squared_norm() == 0) return;  // no direction to start from
    add_update(w_, params_.start * sign(y), x);
    started_ = true;
  }

  [[nodiscard]] double margin(const FeatureView& x) const { return dot(w_, x); }
  [[nodiscard]] std::size_t margin_place() const
    requires HasPlace<Weights>
  {
    return w_.place();
  }
  void update(const FeatureView& x, Label y, double /*margin*/) { add_update(w_, params_.rate * sign(y), x); }

  [[nodiscard]] std::vector<double> weights() const { return values_of(w_); }
  void set_weights(std::span<const double> weights) { replace_values(w_, weights); }

  static void state(auto& self, auto& visit) {
    visit("w", self.w_);
    visit("started", self.started_);
  }

 private:
  Params params_;
  Weights w_;
  bool started_;
};
using StartedPerceptron = StartedPerceptronOf<std::vector<double>>;

}  // namespace askfew
