#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/core/label.h"
#include "askfew/system/memory_limit.h"
#include "askfew/theory/online_to_batch.h"

namespace askfew {

/// Chooses the hypothesis of a run with the smallest penalized risk (slides, part 7: "pick a good classifier
/// in the ensemble"). Each hypothesis is tested on all rounds after it.
///
/// A weight is stored once for every hypothesis that changed it. The margins of all hypotheses on an instance
/// then need one pass over the stored changes of its features, and one running sum: O(changes of its features
/// + hypotheses), not a product per hypothesis. The order of additions differs from a learner's margin: if a
/// margin is 0 up to rounding, a test may count a mistake that the learner would not make.
class PenalizedChoice {
 public:
  /// Starts with H_0, all weights 0. The memory counts against the limit, if there is one.
  explicit PenalizedChoice(std::shared_ptr<MemoryLimit> memory = nullptr) : memory_(std::move(memory)) {}

  /// Tests all hypotheses so far. `mistake`: the result of the last hypothesis, which made the prediction.
  void test(const FeatureView& x, Label y, bool mistake);
  /// Adds a hypothesis that differs from the last hypothesis in some weights. THROWS: MemoryError.
  void begin_hypothesis();
  void set_weight(FeatureView::Index i, double value);

  struct Choice {
    TestedHypothesis tested;
    std::vector<double> weights;  ///< up to the last feature with a weight
  };
  /// REQUIRES: a round was tested.
  [[nodiscard]] Choice choose(double delta) const;

 private:
  struct Change {
    std::size_t hypothesis = 0;  // the first hypothesis with this value
    double value = 0;
  };
  /// H_t of a round t. Among rounds with equal hypotheses, only two kinds can be best: the first round of a
  /// hypothesis, and a round after a mistake, which the later tests do not include.
  struct Candidate {
    std::uint64_t round = 0;
    std::size_t hypothesis = 0;
    std::uint64_t errors_before = 0;  // errors of the hypothesis before the round
  };

  [[nodiscard]] std::vector<double> weights_of(std::size_t hypothesis) const;

  MemoryShare memory_;
  std::uint64_t rounds_ = 0;
  std::vector<std::vector<Change>> changes_;  // changes of each feature, ascending
  std::size_t change_count_ = 0;
  std::vector<std::uint64_t> errors_{0};  // errors of each hypothesis
  std::vector<double> steps_{0};          // scratch: difference of the margin from that of the hypothesis
                                          // before
  std::vector<Candidate> candidates_{Candidate{}};
};

}  // namespace askfew
