#pragma once

// The comparison of a run with the same learner that asks at random (`--control`).

#include <cstdint>
#include <vector>

#include "askfew/models/model.h"

namespace askfew {

/// The result of a control, and the value of the rule: whichever of the two ended with the better F needed
/// fewer labels to reach the other's F. The F of the first tenth of the rounds does not count: it rests on
/// few positives and may be high by chance.
struct ControlResult {
  std::uint64_t asked = 0;     ///< labels that the control asked
  double f1 = 0;               ///< F of the control
  bool run_is_better = false;  ///< the run ended with at least the control's F
  std::uint64_t needed = 0;    ///< labels that the better of the two needed for the other's F
  std::int64_t saved = 0;      ///< labels saved compared with the other; below 0: the control saved them
};

/// A second run of the same learner with the same budget that asks for labels at random.
class Control {
 public:
  /// THROWS: ConfigError for a model without a budget.
  Control(const ModelConfig& config, const Usage& usage);

  [[nodiscard]] Model& model() { return model_; }
  [[nodiscard]] TaskSet task_set() { return model_.task_set(); }
  /// Records the state of both runs after so many rounds.
  void note(const Model& model, std::uint64_t rounds);
  /// REQUIRES: `note` was called.
  [[nodiscard]] ControlResult result() const;

 private:
  struct Point {
    std::uint64_t rounds = 0;
    std::uint64_t asked = 0;
    double f1 = 0;
  };
  static Point point_of(const Model& model, std::uint64_t rounds);

  Model model_;
  std::vector<Point> run_;      // in the order of the rounds
  std::vector<Point> control_;  // in the order of the rounds
};

}  // namespace askfew
