#pragma once

// Makes samplers from names and parameters, and lists all learners, rules and presets. Programs reach the
// algorithms only through this header.

#include <fmt/format.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/config/spec.h"
#include "askfew/protocol/any_sampler.h"
#include "askfew/protocol/one_vs_rest.h"
#include "askfew/spending/label_budget.h"

// Threads: many threads may call these functions at the same time. Many may also share a sampler, as long as
// all of them call const members only.

namespace askfew {

/// Everything that defines a sampler, except seed and task.
struct SamplerConfig {
  AlgorithmSpec learner;
  AlgorithmSpec rule;
  UpdatePolicy update = UpdatePolicy::mistake;
  Spending spending{};  ///< for each task separately
  Aim aim{};

  bool operator==(const SamplerConfig&) const = default;
};

// The entries of the catalog, for people and programs to read.
struct LearnerEntry {
  LearnerInfo info;
  std::vector<ParamEntry> params;
  std::vector<UpdatePolicy> policies;  ///< policies that make sense for this learner
  std::vector<Offer> offers;
  std::vector<std::string> test_specs;  ///< with the parameters used in tests
};
struct RuleEntry {
  RuleInfo info;
  std::vector<ParamEntry> params;
  bool needs_spread = false;  ///< needs a learner with a spread
  std::vector<Offer> offers;
  std::vector<std::string> test_specs;
};
/// Does the entry offer this? core/concepts.h has the names of offers. THROWS: ConfigError for an unknown
/// name.
template <class Entry>
bool offers(const Entry& entry, std::string_view name) {
  for (const Offer& offer : entry.offers) {
    if (offer.name == name) return offer.made;
  }
  throw ConfigError(fmt::format("there is no offer '{}'", name));
}
/// Do the learner and the rule form a legal pair?
inline bool fit(const LearnerEntry& learner, const RuleEntry& rule) {
  return !rule.needs_spread || offers(learner, "spread");
}
struct PresetEntry {
  std::string name;
  SamplerConfig config;
  std::string paper;
};

const std::vector<LearnerEntry>& learner_entries();
const std::vector<RuleEntry>& rule_entries();
const std::vector<PresetEntry>& preset_entries();

/// Does the learner of this name offer this? THROWS: ConfigError for an unknown name.
bool offers(const AlgorithmSpec& learner, std::string_view name);

/// All of these functions THROW ConfigError: for an unknown name with the known names, for a value out of
/// range with the range.
AlgorithmSpec parse_learner(std::string_view text);
AlgorithmSpec parse_rule(std::string_view text);
UpdatePolicy parse_policy(std::string_view text);
/// A preset with changed parameters of its learner or rule: `sel-p:b=0.5`; `learner.b` or `rule.b` if both
/// have a parameter b.
SamplerConfig parse_preset(std::string_view text);
/// The name of the preset that has this learner, rule and update policy, with all their parameters; empty:
/// none has. Of presets that are the same, the one with the given name, else the first.
std::string preset_of(const SamplerConfig& config, std::string_view given = {});

/// Is this the learner of the preset `auto`? Was it in an earlier version? All parameters must be written.
bool is_default_learner(std::string_view text);
bool was_default_learner(std::string_view text);
/// The default policy of the learner.
UpdatePolicy standard_policy(const AlgorithmSpec& learner);

std::string text_of(const AlgorithmSpec& spec);
std::string_view text_of(UpdatePolicy policy);

LearnerInfo learner_info(const AlgorithmSpec& learner);
/// Must the number of features be known before the first round?
bool needs_dimension(const SamplerConfig& config);
/// Does the sampler gain from knowing that there are `dimension` features?
bool gains_from_dimension(const SamplerConfig& config, FeatureView::Index dimension);

/// The names of the learner's and rule's state in a model: `learner.w`, `rule.longest`.
std::vector<std::string> state_names(const SamplerConfig& config);

std::unique_ptr<AnySampler> make_sampler(const SamplerConfig& config, const Setting& setting,
                                         Exactness exactness = Exactness::lazy);

/// The decisions of a multi-class task. THROWS: ConfigError for a rule that needs a spread.
std::unique_ptr<AnyDecisions> make_decisions(const SamplerConfig& config, const Setting& setting,
                                             Exactness exactness = Exactness::lazy);

}  // namespace askfew
