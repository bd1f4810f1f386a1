#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <vector>

#include "askfew/models/model.h"

#include "apps/cli/reports/final_report.h"

namespace askfew::cli {

/// Watches the tasks of a run for --final.
class FinalMonitor {
 public:
  /// REQUIRES: the tasks are new and outlive this. THROWS: ConfigError for a model that cannot do it.
  FinalMonitor(FinalChoice choice, double delta, Model& model, const SharedLimit& memory);

  void observe(std::size_t task, const Round& round) { tasks_[task].observe(round); }
  /// Makes the tasks' learners the final classifiers.
  FinalReport finish();

 private:
  FinalChoice choice_;
  double delta_;
  std::vector<OnlineToBatch> tasks_;
};

/// --final and --delta.
struct FinalOption {
  std::optional<FinalChoice> choice;
  double delta = 0.05;

  void add_to(CLI::App& command);
};

}  // namespace askfew::cli
