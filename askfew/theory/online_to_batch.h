#pragma once

// One classifier from the hypotheses of a run, with bounds on its risk.

#include <array>
#include <cstdint>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/linalg/exact_sum.h"

namespace askfew {

// One classifier from a run over n independent examples of one distribution, and a bound on its risk. The
// risk is the probability of an error on a new example; the bound holds with probability 1 - delta. H_t is
// the hypothesis after t rounds: H_0, ..., H_(n-1) made the predictions. All mistakes count, asked or not.

/// H_t and its results on the rounds after t (Cesa-Bianchi, Conconi, Gentile 2004; slides, part 7).
struct TestedHypothesis {
  std::uint64_t round = 0;  ///< t
  std::uint64_t tests = 0;  ///< n - t
  std::uint64_t errors = 0;

  void test(bool mistake) {
    ++tests;
    if (mistake) ++errors;
  }
  /// The next hypothesis.
  [[nodiscard]] TestedHypothesis next() const { return {.round = round + tests}; }

  /// The largest p with (n-t) kl(errors/(n-t), p) <= ln(n/delta); kl(q, p) = q ln(q/p) + (1-q)
  /// ln((1-q)/(1-p)) is the divergence of Kullback and Leibler. The risks of all n hypotheses are below this
  /// value at the same time: each by Chernoff's bound with probability 1 - delta/n, because H_t does not
  /// depend on the rounds that test it. Infinite for a hypothesis without tests. (With Hoeffding's inequality
  /// instead of Chernoff's bound this is the paper's errors/(n-t) + sqrt(ln(n/delta) / (2 (n-t))), which is
  /// larger.)
  [[nodiscard]] double penalized_risk(double delta) const;
};

/// The mean of the weights w_0, ..., w_(n-1) that made the predictions, O(1) per changed weight.
///
/// Its mistakes are at most its hinge losses (1 - y w.x/s)+ at any scale s. These losses are convex in w, so
/// that their expectation is at most the mean of those of w_0, ..., w_(n-1), which is near the mean loss of
/// the run, by Hoeffding and Azuma. The losses must be bounded: no instance may be longer than the longest X
/// of the run, and |w_t| <= 2^k. The bound includes a price for the choice of k and of s = 2^j.
class AverageHypothesis {
 public:
  /// The present weights predict an instance: `margin` is y w.x.
  void predict(double margin, double norm_of_x);
  /// Sets a weight from the next round on.
  void set_weight(FeatureView::Index i, double value);

  /// The mean weights, up to the last feature with a weight. REQUIRES: a round was predicted.
  [[nodiscard]] std::vector<double> weights() const;

  struct Risk {
    double bound = 0;      ///< mean_loss + (1 + 2^k X/s) sqrt(ln(1/d)/(2n)), d = delta/(9/4 (j)(k))
    double scale = 0;      ///< s, the best
    double mean_loss = 0;  ///< mean loss of the run's predictions, at s
  };
  /// With (j) = (|j|+1) (|j|+2); the sum of 1/(j) over all whole numbers is 3/2.
  [[nodiscard]] Risk risk(double delta) const;

 private:
  struct Weight {
    double value = 0;
    double sum = 0;           // sum of the values in the rounds before `since`
    std::uint64_t since = 0;  // number of rounds when the present value was set
  };
  static constexpr int largest_exponent = 32;

  static double scale_of(std::size_t j);

  std::uint64_t rounds_ = 0;
  std::vector<Weight> weights_;
  ExactSum squared_norm_;                                  // of the present weights
  double largest_squared_ = 0;                             // largest squared norm of weights that predicted
  double longest_ = 0;                                     // X
  std::array<double, 2 * largest_exponent + 1> losses_{};  // sums, at each s
};

}  // namespace askfew
