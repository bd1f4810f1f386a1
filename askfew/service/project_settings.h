#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "askfew/workflows/session.h"

namespace askfew {

/// What a project asks people about. The ledger has the settings that decide anything, and their changes; the
/// name, the question and whether the project is archived are only here.
struct ProjectSettings {
  std::string name{};
  std::string question{};             ///< in words, for the person
  std::string kind = "yes-no";        ///< or classes, or topics
  std::vector<std::string> labels{};  ///< of yes-no: the positive label first; default: yes, no
  std::string ask = "apart";          ///< of topics: each decides for itself, or together: one decision per
                                      ///< document
  std::string budget{};
  std::string audit{};
  std::string sampler{};
  std::uint64_t seed = 1;
  std::uint64_t horizon = 0;
  std::string expire{};
  std::string volunteered = "refuse";     ///< labels that were not asked: refuse, keep or learn
  std::string overlap{};                  ///< several people answer a share of the questions: 10%:3
  std::vector<std::string> annotators{};  ///< who is asked; empty: everybody
  bool archived = false;
};

/// Reads the members that are there and leaves the others. THROWS: ConfigError for an unknown member or a
/// value of a wrong kind.
void read_settings(const nlohmann::json& object, ProjectSettings& settings);
/// Is this a setting that the ledger has, and that may change?
bool is_live_setting(std::string_view key);
/// THROWS: ConfigError for a name, a question or labels that people cannot use.
void check(const ProjectSettings& settings);
nlohmann::json json_of(const ProjectSettings& settings);

/// The name of a project as a part of a path: letters, digits and hyphens, at most 64 of them. Never empty.
std::string slug_of(const std::string& name);
/// Has this text the form of a slug? Any other text is never a part of a path.
bool is_slug(std::string_view text);

/// The plan of the session for these labels.
LabelPlan label_plan_of(const ProjectSettings& settings);
/// The options of the session; the ledger is left empty. THROWS: ConfigError.
SessionOptions session_options_of(const ProjectSettings& settings);

}  // namespace askfew
