#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/core/label.h"
#include "askfew/system/memory_limit.h"
#include "askfew/theory/online_to_batch.h"

namespace askfew {

/// Chooses among the hypotheses of a run the one of the smallest penalized risk (slides, part 7: "pick a good
/// classifier in the ensemble"). Each is tested on all rounds after it.
///
/// A weight is stored once for every hypothesis that changed it. The margins of all hypotheses on an instance
/// are then one pass over what its features have stored, and one sum: O(changes of its features +
/// hypotheses), not a product each. The order of additions is not that of a learner's margin: a hypothesis
/// whose margin is 0 but for rounding may be tested as wrong where the learner would be right.
class PenalizedChoice {
 public:
  /// At first there is H_0, all weights 0. What is stored counts against the limit, if there is one.
  explicit PenalizedChoice(std::shared_ptr<MemoryLimit> memory = nullptr) : memory_(std::move(memory)) {}

  /// Tests all hypotheses so far. `mistake`: what the last of them, which made the prediction, came to.
  void test(const FeatureView& x, Label y, bool mistake);
  /// A new hypothesis that differs from the last one in some weights. THROWS: MemoryError.
  void begin_hypothesis();
  void set_weight(FeatureView::Index i, double value);

  struct Choice {
    TestedHypothesis tested;
    std::vector<double> weights;  ///< of the features up to the last that had a weight
  };
  /// REQUIRES: a round was tested.
  [[nodiscard]] Choice choose(double delta) const;

 private:
  struct Change {
    std::size_t hypothesis = 0;  // the first that has the value
    double value = 0;
  };
  /// H_t of a round t. Of rounds with equal hypotheses only those can be best that begin one, or end with a
  /// mistake, which is then tested no more.
  struct Candidate {
    std::uint64_t round = 0;
    std::size_t hypothesis = 0;
    std::uint64_t errors_before = 0;  // of the hypothesis, up to the round
  };

  [[nodiscard]] std::vector<double> weights_of(std::size_t hypothesis) const;

  MemoryShare memory_;
  std::uint64_t rounds_ = 0;
  std::vector<std::vector<Change>> changes_;  // of each feature, ascending
  std::size_t change_count_ = 0;
  std::vector<std::uint64_t> errors_{0};  // of each hypothesis
  std::vector<double> steps_{0};          // scratch: how much the margin differs from the hypothesis before
  std::vector<Candidate> candidates_{Candidate{}};
};

}  // namespace askfew
