#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "askfew/protocol/task.h"

namespace askfew::cli {

/// What is known of a task from asked labels alone, beside the truth, which only a labelled file tells:
/// figures with intervals, changes, what more labels would bring. REQUIRES: the task is watched.
std::string estimate_text(const Task& task);
nlohmann::json estimate_json(const Task& task);
/// The estimate of F, for a row of a table.
std::string estimated_f(const Task& task);

/// What as many labels again would bring, in a line.
std::string advice_text(const LearningCurve& curve);

/// "more mistakes since round 10,000 (noticed in round 10,125)".
std::string text_of(const Change& change);

/// Tells which changes were noticed since it was asked last, a line each.
class ChangeLines {
 public:
  explicit ChangeLines(const std::vector<Task>& tasks);
  std::string next();

 private:
  const std::vector<Task>& tasks_;
  std::vector<std::uint64_t> told_;  // up to this round, by task
};

}  // namespace askfew::cli
