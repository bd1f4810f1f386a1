#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "askfew/theory/linear_svm.h"
#include "askfew/trials/theorems.h"

namespace askfew::cli {

/// What the papers promise of a sampler on one task, and what it did.
struct TaskBounds {
  std::string name;
  std::size_t rounds = 0;
  LinearSvm svm;
  ComparatorOnStream u;
  ObservedRuns runs;
  std::vector<TheoremRow> theorems;
};

struct BoundReport {
  SamplerConfig sampler;
  std::uint64_t first_seed = 0;
  std::uint64_t seeds = 0;
  double svm_c = 0;
  std::vector<TaskBounds> tasks;
};

/// For people: a table a task.
std::string text_of(const BoundReport& report);
nlohmann::json json_of(const BoundReport& report);

}  // namespace askfew::cli
