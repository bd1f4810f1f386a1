#pragma once

// Turns a run into one classifier with a bound on its risk (`askfew run --final`).

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

/// The final classifier of a run.
enum class FinalChoice : std::uint8_t {
  last,      ///< the last hypothesis
  average,   ///< the mean of all hypotheses
  penalized  ///< the hypothesis with the smallest penalized risk
};
std::string_view text_of(FinalChoice choice);

/// The classifier, and an upper bound of its risk with probability 1 - delta.
struct FinalClassifier {
  double risk_bound = 1;
  TestedHypothesis tested{};          ///< for last and penalized
  AverageHypothesis::Risk average{};  ///< for average
};

/// Observes one task's run, and turns it into one classifier.
///
/// `average` and `penalized` compute weights from the learner's margins on single features, and assume that
/// an update changes only the weights of its instance's features: they need learners with local weights
/// (HasLocalWeights).
class OnlineToBatch {
 public:
  /// REQUIRES: the sampler is new and outlives this object. THROWS: ConfigError if the learner does not
  /// support the choice.
  OnlineToBatch(FinalChoice choice, const AlgorithmSpec& learner, AnySampler& sampler,
                std::shared_ptr<MemoryLimit> memory);

  /// THROWS: MemoryError.
  void observe(const FeatureView& x, const Round& round);
  /// Turns the sampler's learner into the final classifier. REQUIRES: at least one round was observed.
  FinalClassifier finish(double delta);

 private:
  AnySampler& sampler_;
  std::variant<TestedHypothesis, AverageHypothesis, PenalizedChoice> choice_;
  bool started_;
};

}  // namespace askfew
