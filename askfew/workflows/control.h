#pragma once

#include <cstdint>
#include <vector>

#include "askfew/models/model.h"

namespace askfew {

/// What a control came to, and what the rule was worth: the one that ended with the better F needed fewer
/// labels for the F of the other.
struct ControlResult {
  std::uint64_t asked = 0;     ///< by the control
  double f1 = 0;               ///< of the control
  bool run_is_better = false;  ///< the run ended with at least the control's F
  std::uint64_t needed = 0;    ///< labels that the better one needed for the F of the other
  std::int64_t saved = 0;      ///< fewer than the other asked for; below 0: the control saved them
};

/// The same learner beside a run, with the same budget, that asks for labels at random.
class Control {
 public:
  /// THROWS: ConfigError for a model without a budget.
  Control(const ModelConfig& config, const Usage& usage);

  [[nodiscard]] TaskSet task_set() { return model_.task_set(); }
  /// Notes where both stand, between rounds.
  void note(const Model& model);
  /// REQUIRES: something was noted.
  [[nodiscard]] ControlResult result() const;

 private:
  struct Point {
    std::uint64_t asked = 0;
    double f1 = 0;
  };
  static Point point_of(const Model& model);

  Model model_;
  std::vector<Point> run_;      // in the order of the rounds
  std::vector<Point> control_;  // likewise
};

}  // namespace askfew
