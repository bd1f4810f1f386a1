#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "askfew/models/model.h"

#include "apps/cli/reports/control.h"
#include "apps/cli/reports/final_report.h"

namespace askfew::cli {

/// What a run came to. `baseline`: the same learner asking for everything, if it was run too.
struct RunReport {
  const Model& model;
  const Model* baseline = nullptr;
  const Control* control = nullptr;               ///< with --control
  std::optional<FinalReport> final_classifier{};  ///< with --final
  double seconds = 0;
  std::uint64_t rounds = 0;   ///< of this run, without those before a resume
  std::uint64_t skipped = 0;  ///< malformed examples left out
};

/// For people: how many labels were asked, how many saved, accuracy and F.
std::string text_report(const RunReport& report);
nlohmann::json json_report(const RunReport& report);

}  // namespace askfew::cli
