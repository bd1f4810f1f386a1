#pragma once

#include <array>

#include "askfew/config/params.h"
#include "askfew/streams/formats/synthetic/generator.h"

namespace askfew {

/// Instances of norm 1 that a vector u of norm 1 separates with a margin: |u.x| is uniform in [margin, 1], on
/// both sides, and x is uniform given u.x. y = sgn(u.x), except for labels that noise flips.
class Separable final : public Generator {
 public:
  struct Params {
    double d = 50;
    double n = 10'000;
    double margin = 0.1;
    double noise = 0;
    double seed = 1;

    static constexpr std::array<Param<Params>, 5> table() {
      return {{{"d", &Params::d, {.low = 2, .high = max_features, .integral = true}, "features"},
               {"n", &Params::n, count_from(1), "examples"},
               {"margin", &Params::margin, between(0, 1), "smallest |u.x|"},
               {"noise", &Params::noise, between(0, 1), "probability that a label is flipped"},
               {"seed", &Params::seed, count_from(0), "seed of the random numbers"}}};
    }
  };
  static constexpr GeneratorInfo info{"separable", "y = sgn(u.x), |u| = |x| = 1, |u.x| >= margin",
                                      "the bounds for separable streams, slides, part 3"};

  explicit Separable(const Params& params);

  void add(std::uint64_t round, Examples& block) override;

 private:
  [[nodiscard]] std::vector<double> teacher_of(std::uint64_t /*round*/,
                                               Examples::LabelId /*label*/) const override {
    return u_;
  }

  Params params_;
  std::uint64_t seed_;
  std::vector<double> u_;
  std::vector<double> x_;
};

}  // namespace askfew
