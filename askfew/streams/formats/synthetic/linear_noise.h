#pragma once

#include <array>

#include "askfew/config/params.h"
#include "askfew/streams/formats/synthetic/generator.h"

namespace askfew {

/// The linear noise model of Cavallanti, Cesa-Bianchi and Gentile 2008, section 2: |u| = |x| = 1 and y = 1
/// with probability (1 + u.x)/2. Their low noise condition (1), P(|u.x| < e) <= c e^alpha, holds with
/// equality for all e up to `reach`:
///
/// Let V be uniform in (0, 1], |u.x| = reach V^(1/alpha), its sign a fair coin, and x uniform given u.x. Then
/// P(|u.x| <= e) = P(V <= (e/reach)^alpha) = (e/reach)^alpha, so c = reach^-alpha. With alpha = inf there is
/// a hard gap: |u.x| = reach in all rounds. The best classifier, sgn(u.x), is wrong with probability (1 -
/// E|u.x|)/2 = (1 - reach alpha/(1 + alpha))/2.
class LinearNoise final : public Generator {
 public:
  struct Params {
    double d = 50;
    double n = 10'000;
    double alpha = 1;
    double reach = 1;
    double seed = 1;

    static constexpr std::array<Param<Params>, 5> table() {
      return {{{"d", &Params::d, {.low = 2, .high = max_features, .integral = true}, "features"},
               {"n", &Params::n, count_from(1), "examples"},
               {"alpha",
                &Params::alpha,
                {.low = 0, .low_open = true},
                "exponent of the low noise condition; inf: |u.x| = reach in all rounds"},
               {"reach",
                &Params::reach,
                {.low = 0, .high = 1, .low_open = true},
                "largest |u.x|; below 1 if alpha is inf"},
               {"seed", &Params::seed, count_from(0), "seed of the random numbers"}}};
    }
  };
  static constexpr GeneratorInfo info{
      "linear-noise", "P(y = 1) = (1 + u.x)/2, |u| = |x| = 1, P(|u.x| <= e) = (e/reach)^alpha",
      "Cavallanti et al. 2008, section 2"};

  /// THROWS: ConfigError for a value out of range, and if u and -u would be the only instances.
  explicit LinearNoise(const Params& params);

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
