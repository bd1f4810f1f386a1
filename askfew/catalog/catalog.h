#pragma once

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

/// Everything that makes a sampler, besides seed and task.
struct SamplerConfig {
  AlgorithmSpec learner;
  AlgorithmSpec rule;
  UpdatePolicy update = UpdatePolicy::mistake;
  Spending spending{};  ///< of every task by itself

  bool operator==(const SamplerConfig&) const = default;
};

// What the table holds, for people and programs to read.
struct LearnerEntry {
  LearnerInfo info;
  std::vector<ParamEntry> params;
  std::vector<UpdatePolicy> policies;  ///< those that make sense for it
  std::vector<Offer> offers;
  std::vector<std::string> test_specs;  ///< with the parameters that tests run it with
};
struct RuleEntry {
  RuleInfo info;
  std::vector<ParamEntry> params;
  bool needs_spread = false;  ///< goes only with a learner that has one
  std::vector<Offer> offers;
  std::vector<std::string> test_specs;
};
/// Does it offer this? The names of offers are in core/concepts.h. THROWS: ConfigError for an unknown one.
template <class Entry>
bool offers(const Entry& entry, std::string_view name) {
  for (const Offer& offer : entry.offers) {
    if (offer.name == name) return offer.made;
  }
  throw ConfigError(fmt::format("there is no offer '{}'", name));
}
/// Do they make a sampler?
inline bool fit(const LearnerEntry& learner, const RuleEntry& rule) {
  return !rule.needs_spread || offers(learner, "spread");
}
struct PresetEntry {
  std::string name;
  SamplerConfig config;
  std::string paper;
};

std::vector<LearnerEntry> learner_entries();
std::vector<RuleEntry> rule_entries();
std::vector<PresetEntry> preset_entries();

/// All of these THROW ConfigError with what is known for an unknown name, and the range for a value out of
/// it.
AlgorithmSpec parse_learner(std::string_view text);
AlgorithmSpec parse_rule(std::string_view text);
UpdatePolicy parse_policy(std::string_view text);
/// A preset, with parameters of its learner or rule changed: `sel-p:b=0.5`; `learner.b` or `rule.b` where
/// both have one.
SamplerConfig parse_preset(std::string_view text);
/// The policy that the learner comes with.
UpdatePolicy standard_policy(const AlgorithmSpec& learner);

std::string text_of(const AlgorithmSpec& spec);
std::string_view text_of(UpdatePolicy policy);

LearnerInfo learner_info(const AlgorithmSpec& learner);
/// Must the number of features be known before the first round?
bool needs_dimension(const SamplerConfig& config);
/// Is it better for knowing that there are so many?
bool gains_from_dimension(const SamplerConfig& config, FeatureView::Index dimension);

/// What learner and rule remember, by the names that it has in a model: `learner.w`, `rule.longest`.
std::vector<std::string> state_names(const SamplerConfig& config);

std::unique_ptr<AnySampler> make_sampler(const SamplerConfig& config, const Setting& setting,
                                         Exactness exactness = Exactness::lazy);

/// What a multi-class task decides by. THROWS: ConfigError for a rule that needs a spread.
std::unique_ptr<AnyDecisions> make_decisions(const SamplerConfig& config, const Setting& setting,
                                             Exactness exactness = Exactness::lazy);

}  // namespace askfew
