#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "askfew/models/final_classifier.h"
#include "askfew/protocol/task.h"

namespace askfew::cli {

/// What a run ended with instead of its last hypotheses.
struct FinalReport {
  FinalChoice choice = FinalChoice::last;
  double delta = 0;
  std::vector<FinalClassifier> tasks;
};
/// A line a task.
std::string text_of(const FinalReport& report, const std::vector<Task>& tasks);
/// Of one task.
nlohmann::json json_of(const FinalReport& report, std::size_t task);

}  // namespace askfew::cli
