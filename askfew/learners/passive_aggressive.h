#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "askfew/config/params.h"
#include "askfew/core/concepts.h"
#include "askfew/linalg/sparse.h"

namespace askfew {

/// Passive-aggressive algorithms (Crammer et al. 2006; Cesa-Bianchi's slides, parts 3 and 4): the smallest
/// step that gives a margin of 1, either in full (pa, which is Hildreth's algorithm of 1957) or limited
/// (pa-1, pa-2).
///
///   margin  m = w.x,  loss l = (1 - y m)+
///   update  w += eta y x;   pa: eta = l/xx,   pa-1: min(C, l/xx),   pa-2: l/(xx + 1/C)
///
/// Promise (slides, |x| = 1): Hildreth makes at most |u|^2 mistakes on a stream that u separates with margin
/// 1; pa-1 at most max(1/C, 1) (|u|^2 + 2C sum of u's losses). After an update of pa the loss on x is 0. Cost
/// of a round: O(nnz).
struct Hildreth {
  using Params = NoParams;
  static constexpr LearnerInfo info{.name = "pa",
                                    .formula = "m = w.x; l = (1-ym)+; w += (l/xx) y x",
                                    .paper = "Hildreth 1957; slides, part 3; Crammer et al. 2006",
                                    .policy = UpdatePolicy::margin};
  static double step(const Params& /*params*/, double loss, double xx) { return loss / xx; }
};

struct PaOne {
  struct Params {
    double C = 1;
    static constexpr auto table() {
      return std::array{Param<Params>{"C", &Params::C, positive(), "largest step size of an update"}};
    }
  };
  static constexpr LearnerInfo info{.name = "pa-1",
                                    .formula = "m = w.x; l = (1-ym)+; w += min(C, l/xx) y x",
                                    .paper = "slides, part 4; Crammer et al. 2006",
                                    .policy = UpdatePolicy::margin,
                                    .test_params = "C=0.1"};
  static double step(const Params& params, double loss, double xx) { return std::min(params.C, loss / xx); }
};

struct PaTwo {
  struct Params {
    double C = 1;
    static constexpr auto table() {
      return std::array{Param<Params>{"C", &Params::C, positive(), "a larger value trusts labels more"}};
    }
  };
  static constexpr LearnerInfo info{.name = "pa-2",
                                    .formula = "m = w.x; l = (1-ym)+; w += l/(xx+1/C) y x",
                                    .paper = "slides, part 4; Crammer et al. 2006",
                                    .policy = UpdatePolicy::margin,
                                    .test_params = "C=0.5"};
  static double step(const Params& params, double loss, double xx) { return loss / (xx + 1 / params.C); }
};

template <class Variant, class Weights = std::vector<double>>
class PassiveAggressive {
 public:
  template <class W>
  using With = PassiveAggressive<Variant, W>;
  using Params = typename Variant::Params;
  static constexpr LearnerInfo info = Variant::info;

  PassiveAggressive(const Params& params, const Setting& /*setting*/, Weights w = {})
      : params_(checked(info.name, params)), w_(std::move(w)) {}

  [[nodiscard]] double margin(const FeatureView& x) const { return dot(w_, x); }
  [[nodiscard]] std::size_t margin_place() const
    requires HasPlace<Weights>
  {
    return w_.place();
  }
  [[nodiscard]] bool suffers(Label y, double margin) const { return loss(y, margin) > 0; }
  void update(const FeatureView& x, Label y, double margin) {
    const double xx = x.squared_norm();
    if (xx == 0) return;  // no step can change the margin of a zero vector
    add_update(w_, Variant::step(params_, loss(y, margin), xx) * sign(y), x);
  }

  [[nodiscard]] std::vector<double> weights() const { return values_of(w_); }
  void set_weights(std::span<const double> weights) { replace_values(w_, weights); }

  static void state(auto& self, auto& visit) { visit("w", self.w_); }

 private:
  static double loss(Label y, double margin) { return std::max(0.0, 1 - sign(y) * margin); }

  Params params_;
  Weights w_;
};

}  // namespace askfew
