#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "askfew/models/model.h"

namespace askfew::cli {

/// The same learner beside a run, with the same budget, that asks for labels at random: what the rule is
/// worth.
class Control {
 public:
  /// THROWS: ConfigError for a model without a budget.
  Control(const ModelConfig& config, const Usage& usage);

  [[nodiscard]] TaskSet task_set() { return model_.task_set(); }
  /// Notes where both stand, between rounds.
  void note(const Model& model);

  /// How many labels the one that ended with the better F needed for the F of the other, and how many fewer
  /// those are.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] nlohmann::json json() const;

 private:
  struct Point {
    std::uint64_t asked = 0;
    double f1 = 0;
  };
  struct Saving {
    std::uint64_t needed = 0;
    std::int64_t saved = 0;  ///< below 0: the control saved them
  };
  static Point point_of(const Model& model);
  [[nodiscard]] Saving saving() const;

  Model model_;
  std::vector<Point> run_;      // in the order of the rounds
  std::vector<Point> control_;  // likewise
};

}  // namespace askfew::cli
