#pragma once

#include <array>
#include <span>

#include "askfew/config/params.h"
#include "askfew/streams/formats/synthetic/generator.h"

namespace askfew {

/// Moroshko and Crammer 2014, section 5: x and u are Gaussian with mean 0 and covariance I, y = sgn(u.x), and
/// u is replaced every so many rounds. There is no noise and no scaling.
class ShiftingGaussian final : public Generator {
 public:
  struct Params {
    double d = 50;
    double n = 10'000;
    double switch_after = 500;
    double seed = 1;

    static constexpr std::array<Param<Params>, 4> table() {
      return {{{"d", &Params::d, {.low = 1, .high = max_features, .integral = true}, "features"},
               {"n", &Params::n, count_from(1), "examples"},
               {"switch", &Params::switch_after, count_from(1), "rounds between two switches of the teacher"},
               {"seed", &Params::seed, count_from(0), "seed of the random numbers"}}};
    }
  };
  static constexpr GeneratorInfo info{"shifting-gaussian",
                                      "y = sgn(u.x), x ~ N(0, I); a new u ~ N(0, I) every switch rounds",
                                      "Moroshko and Crammer 2014, section 5"};

  explicit ShiftingGaussian(const Params& params);

  void add(std::uint64_t round, Examples& block) override;

 private:
  [[nodiscard]] std::vector<double> teacher_of(std::uint64_t round, Examples::LabelId label) const override;
  void draw_teacher(std::uint64_t number, std::span<double> u) const;
  /// The number of the teacher, from 0 on.
  [[nodiscard]] std::uint64_t teacher_number(std::uint64_t round) const {
    return (round - 1) / switch_after_;
  }

  std::uint64_t switch_after_;
  std::uint64_t seed_;
  std::uint64_t at_hand_ = 0;  // the number of the teacher in u_
  std::vector<double> u_;
};

}  // namespace askfew
