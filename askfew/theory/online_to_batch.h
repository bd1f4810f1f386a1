#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/linalg/exact_sum.h"

namespace askfew {

// One classifier from a run over n independent examples of one distribution, and a bound on its risk, the
// probability that it is wrong about another example, which holds with probability 1 - delta. H_t is the
// hypothesis after t rounds: H_0, ..., H_(n-1) made the predictions. All mistakes count, asked or not.

/// H_t, and how it did on the rounds after t (Cesa-Bianchi, Conconi, Gentile 2004; slides, part 7).
struct TestedHypothesis {
  std::uint64_t round = 0;  ///< t
  std::uint64_t tests = 0;  ///< n - t
  std::uint64_t errors = 0;

  void test(bool mistake) {
    ++tests;
    if (mistake) ++errors;
  }
  /// The hypothesis that comes after it.
  [[nodiscard]] TestedHypothesis next() const { return {.round = round + tests}; }

  /// errors/(n-t) + sqrt(ln(n (n+1)/delta) / (2 (n-t))). The risks of all n hypotheses are below it at the
  /// same time: a single one by Hoeffding with probability 1 - delta/(n (n+1)), since H_t does not know what
  /// it is tested on. Infinite for a hypothesis that was not tested.
  [[nodiscard]] double penalized_risk(double delta) const;
};

/// The mean of the weights w_0, ..., w_(n-1) that made the predictions, O(1) a change of a weight.
///
/// Its mistakes are at most its hinge losses (1 - y w.x/s)+ at any scale s, which are convex in w, so that
/// their expectation is at most the mean of those of w_0, ..., w_(n-1); and that is near the mean loss of the
/// run, by Hoeffding and Azuma. The losses must be bounded: no instance may be longer than the longest X of
/// the run, and |w_t| <= 2^k, for a k that the bound pays for, as it does for s = 2^j.
class AverageHypothesis {
 public:
  /// The present weights predict an instance: `margin` is y w.x.
  void predict(double margin, double norm_of_x);
  /// From the next round on a weight has this value.
  void set_weight(FeatureView::Index i, double value);

  /// The means, of the features up to the last that had a weight. REQUIRES: a round was predicted.
  [[nodiscard]] std::vector<double> weights() const;

  struct Risk {
    double bound = 0;      ///< mean_loss + (1 + 2^k X/s) sqrt(ln(1/d)/(2n)), d = delta/(9/4 (j)(k))
    double scale = 0;      ///< s, the best
    double mean_loss = 0;  ///< of the run's predictions, at s
  };
  /// With (j) = (|j|+1) (|j|+2), whose inverses add up to 3/2 over all whole numbers.
  [[nodiscard]] Risk risk(double delta) const;

 private:
  struct Weight {
    double value = 0;
    double sum = 0;           // of the values in the rounds before `since`
    std::uint64_t since = 0;  // rounds predicted when it got its value
  };
  static constexpr int largest_exponent = 32;

  static double scale_of(std::size_t j);

  std::uint64_t rounds_ = 0;
  std::vector<Weight> weights_;
  ExactSum squared_norm_;                                  // of the present weights
  double largest_squared_ = 0;                             // of those that predicted
  double longest_ = 0;                                     // X
  std::array<double, 2 * largest_exponent + 1> losses_{};  // sums, at each s
};

}  // namespace askfew
