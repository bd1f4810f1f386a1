#pragma once

// The settings that a line may change while a session runs.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "askfew/models/model.h"
#include "askfew/sessions/label_queue.h"

namespace askfew {

/// Settings that change while a session runs; what is not set stays as it is.
struct SettingsChange {
  std::optional<std::string> budget;  ///< as for parse_budget; empty: none
  std::optional<std::uint64_t> horizon;
  std::optional<std::string> audit;   ///< as for parse_share; empty: none
  std::optional<std::string> expire;  ///< as for parse_expiry; empty: never
  std::optional<std::string> volunteered;
  std::optional<std::string> overlap;                  ///< as for parse_overlap; empty: none
  std::optional<std::vector<std::string>> labels;      ///< the labels so far, and new ones after them
  std::optional<std::vector<std::string>> annotators;  ///< who is asked; empty: everybody
};
/// THROWS: ConfigError for an unknown member or a value of a wrong kind.
SettingsChange settings_change_of(const nlohmann::json& object);

/// The settings that may change.
struct LiveSettings {
  Spending spending;
  LabelPlan labels;
  LabelQueue::Options queue;
  std::vector<std::string> annotators;
};
/// THROWS: ConfigError if volunteered labels cannot be learned, or be told from others.
void expect_learnable(const LabelQueue::Options& options, const ModelConfig& config);
/// THROWS: ConfigError if this is impossible.
LiveSettings changed(LiveSettings settings, const SettingsChange& change);
/// As a settings line has them.
nlohmann::json json_of(const LiveSettings& settings);

/// Do the estimates continue? Their intervals need one audit and one horizon, chosen before the first round.
bool keeps_estimates(const Spending& before, const Spending& after);

/// The model with this spending and these labels: learners, rules and features keep their state, the plan
/// continues from what was spent, new classes begin without knowledge, and estimates continue or begin anew.
/// THROWS: ConfigError if this is impossible, MemoryError.
Model changed_model(const Model& model, const Spending& spending, const LabelPlan& labels,
                    const Usage& usage);

}  // namespace askfew
