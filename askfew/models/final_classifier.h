#pragma once

#include <string_view>
#include <variant>

#include "askfew/catalog/catalog.h"
#include "askfew/core/round.h"
#include "askfew/system/memory_limit.h"
#include "askfew/theory/online_to_batch.h"
#include "askfew/theory/penalized_choice.h"

// Threads: many threads may call the functions at the same time; an OnlineToBatch is for one thread at a
// time.

namespace askfew {

/// Which classifier a run ends with.
enum class FinalChoice : std::uint8_t {
  last,      ///< the last hypothesis
  average,   ///< the mean of all
  penalized  ///< the one of the smallest penalized risk
};
std::string_view text_of(FinalChoice choice);

/// The classifier, and what its risk is at most, with probability 1 - delta.
struct FinalClassifier {
  double risk_bound = 1;
  TestedHypothesis tested{};          ///< of last and penalized
  AverageHypothesis::Risk average{};  ///< of average
};

/// Watches one task's run, and turns it into one classifier.
///
/// `average` and `penalized` know weights by the learner's margin on one feature at a time, and take it that
/// an update changes no weight but those of its instance: they are for learners with local weights
/// (HasLocalWeights).
class OnlineToBatch {
 public:
  /// REQUIRES: the sampler is new and outlives this. THROWS: ConfigError for a learner that cannot do it.
  OnlineToBatch(FinalChoice choice, const AlgorithmSpec& learner, AnySampler& sampler,
                std::shared_ptr<MemoryLimit> memory);

  /// THROWS: MemoryError.
  void observe(const FeatureView& x, const Round& round);
  /// Makes the sampler's learner the final classifier. REQUIRES: a round was observed.
  FinalClassifier finish(double delta);

 private:
  AnySampler& sampler_;
  std::variant<TestedHypothesis, AverageHypothesis, PenalizedChoice> choice_;
  bool started_;
};

}  // namespace askfew
