#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "askfew/catalog/model.h"

namespace askfew::cli {

/// What a run came to. `baseline` holds the same learner asking for everything, task by task, or nothing.
struct RunReport {
  const Model& model;
  const std::vector<Task>& baseline;
  double seconds = 0;
  std::uint64_t rounds = 0;   ///< of this run, without those before a resume
  std::uint64_t skipped = 0;  ///< malformed examples left out
};

/// For people: how many labels were asked, how many saved, accuracy and F.
std::string text_report(const RunReport& report);
nlohmann::json json_report(const RunReport& report);

}  // namespace askfew::cli
