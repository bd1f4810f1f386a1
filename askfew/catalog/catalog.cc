#include "askfew/catalog/catalog.h"

#include <algorithm>
#include <fmt/core.h>
#include <span>

#include "askfew/catalog/pairs.h"
#include "askfew/config/names.h"
#include "askfew/config/text.h"

namespace askfew {
namespace {

/// The parameters of the learner or rule with this name.
std::span<const ParamEntry> params_named(std::string_view algorithm) {
  for (const LearnerEntry& entry : learner_entries()) {
    if (entry.info.name == algorithm) return entry.params;
  }
  for (const RuleEntry& entry : rule_entries()) {
    if (entry.info.name == algorithm) return entry.params;
  }
  return {};
}

SamplerConfig config_of(const Preset& preset) {
  SamplerConfig config{.learner = parse_learner(preset.learner), .rule = parse_rule(preset.rule)};
  config.update = preset.update.empty() ? standard_policy(config.learner) : parse_policy(preset.update);
  return config;
}

/// The name with each set of parameters for the tests.
std::vector<std::string> test_specs_of(std::string_view name, std::string_view params) {
  std::vector<std::string> specs;
  while (!params.empty()) {
    const std::size_t end = std::min(params.find(' '), params.size());
    specs.push_back(fmt::format("{}:{}", name, params.substr(0, end)));
    params.remove_prefix(std::min(end + 1, params.size()));
  }
  if (specs.empty()) specs.emplace_back(name);
  return specs;
}

std::vector<Offer> list_of(const auto& offers) {
  return {offers.begin(), offers.end()};
}

/// Models and ledgers of earlier versions may have an algorithm that is no longer there.
void expect_no_earlier_name(std::string_view text, std::string_view kind, std::string_view earlier,
                            std::string_view successor) {
  if (split_spec(text).first != earlier) return;
  throw ConfigError(
      fmt::format("{} {} was removed after version 0.1.0, which still reads its files; train a "
                  "new model with {}",
                  kind, earlier, successor));
}

/// Is A the algorithm of the spec, and must A know the number of features?
template <class A>
bool asks_for_dimension(const AlgorithmSpec& spec) {
  if constexpr (NeedsDimension<A>) {
    return A::info.name == spec.name && A::needs_dimension(params_of<typename A::Params>(spec));
  }
  return false;
}

std::vector<LearnerEntry> make_learner_entries() {
  std::vector<LearnerEntry> entries;
  for_each_type(Learners{}, [&]<class L>() {
    std::vector<UpdatePolicy> policies;
    for (const auto policy : {UpdatePolicy::mistake, UpdatePolicy::asked, UpdatePolicy::margin}) {
      if (accepts<L>(policy)) policies.push_back(policy);
    }
    entries.push_back({.info = L::info,
                       .params = param_entries<typename L::Params>(),
                       .policies = std::move(policies),
                       .offers = list_of(learner_offers<L>()),
                       .test_specs = test_specs_of(L::info.name, L::info.test_params)});
  });
  return entries;
}

std::vector<RuleEntry> make_rule_entries() {
  std::vector<RuleEntry> entries;
  for_each_type(Rules{}, [&]<class R>() {
    entries.push_back({.info = R::info,
                       .params = param_entries<typename R::Params>(),
                       .needs_spread = R::needs_spread,
                       .offers = list_of(rule_offers<R>()),
                       .test_specs = test_specs_of(R::info.name, R::info.test_params)});
  });
  return entries;
}

std::vector<PresetEntry> make_preset_entries() {
  std::vector<PresetEntry> entries;
  for (const Preset& preset : presets) {
    entries.push_back({std::string(preset.name), config_of(preset), std::string(preset.paper)});
  }
  return entries;
}

/// What to do with the name of a learner or a rule, which is no sampler alone; empty: it is neither.
std::string part_of_a_sampler(std::string_view name) {
  const auto is_called_so = [&](const auto& entry) { return entry.info.name == name; };
  if (std::ranges::any_of(learner_entries(), is_called_so))
    return fmt::format("it is a learner: give it to `learner`, with a `rule`");
  if (std::ranges::any_of(rule_entries(), is_called_so))
    return fmt::format("it is a query rule: give it to `rule`, with a `learner`");
  return "";
}

}  // namespace

const std::vector<LearnerEntry>& learner_entries() {
  static const std::vector<LearnerEntry> entries = make_learner_entries();
  return entries;
}
const std::vector<RuleEntry>& rule_entries() {
  static const std::vector<RuleEntry> entries = make_rule_entries();
  return entries;
}
const std::vector<PresetEntry>& preset_entries() {
  static const std::vector<PresetEntry> entries = make_preset_entries();
  return entries;
}

AlgorithmSpec parse_learner(std::string_view text) {
  expect_no_earlier_name(text, "learner", "council", "scaled-logistic");
  return parse_spec(text, learner_entries(), "learner");
}
AlgorithmSpec parse_rule(std::string_view text) {
  expect_no_earlier_name(text, "rule", "soft-threshold", "threshold");
  return parse_spec(text, rule_entries(), "rule");
}

UpdatePolicy parse_policy(std::string_view text) {
  for (const auto policy : {UpdatePolicy::mistake, UpdatePolicy::asked, UpdatePolicy::margin}) {
    if (text == text_of(policy)) return policy;
  }
  throw ConfigError(fmt::format("update {} is not one of: mistake, asked, margin", in_quotes(text)));
}

SamplerConfig parse_preset(std::string_view text) {
  const auto [name, assignments] = split_spec(text);
  std::vector<std::string> known;
  for (const Preset& preset : presets) known.emplace_back(preset.name);
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) {
    const std::string part = part_of_a_sampler(name);
    throw ConfigError(fmt::format("unknown sampler {}: {}", in_quotes(name),
                                  part.empty() ? did_you_mean(name, known) : part));
  }
  SamplerConfig config = config_of(presets.at(static_cast<std::size_t>(found - known.begin())));
  const std::vector<LearnerEntry>& learners = learner_entries();
  const std::vector<RuleEntry>& rules = rule_entries();
  const auto& learner_params = entry_named(learners, config.learner.name, "learner").params;
  const auto& rule_params = entry_named(rules, config.rule.name, "rule").params;
  for (const Assignment& given : assignments) {
    const std::size_t dot = given.key.find('.');
    const std::string side = dot == std::string::npos ? "" : given.key.substr(0, dot);
    const std::string key = dot == std::string::npos ? given.key : given.key.substr(dot + 1);
    const ParamEntry* learner = side.empty() || side == "learner" ? find_param(learner_params, key) : nullptr;
    const ParamEntry* rule = side.empty() || side == "rule" ? find_param(rule_params, key) : nullptr;
    if (learner != nullptr && rule != nullptr) {
      throw ConfigError(fmt::format("{}: both {} and {} have a parameter '{}', write learner.{} or rule.{}",
                                    name, config.learner.name, config.rule.name, key, key, key));
    }
    if (learner == nullptr && rule == nullptr) {
      std::vector<ParamEntry> all = learner_params;
      all.insert(all.end(), rule_params.begin(), rule_params.end());
      throw_unknown_param(name, given.key, all);
    }
    if (learner != nullptr) assign(config.learner, *learner, given.value);
    if (rule != nullptr) assign(config.rule, *rule, given.value);
  }
  return config;
}

std::string preset_of(const SamplerConfig& config, std::string_view given) {
  std::string first;
  for (const PresetEntry& preset : preset_entries()) {
    const SamplerConfig& same = preset.config;
    // As texts: a parameter that is not written has its default.
    if (same.update == config.update && text_of(same.learner) == text_of(config.learner) &&
        text_of(same.rule) == text_of(config.rule)) {
      if (preset.name == given) return preset.name;
      if (first.empty()) first = preset.name;
    }
  }
  return first;
}

bool is_default_learner(std::string_view text) {
  return text == text_of(parse_preset("auto").learner);
}

bool was_default_learner(std::string_view text) {
  return std::ranges::any_of(earlier_default_learners, [&](std::string_view earlier) {
    return text == text_of(parse_learner(earlier));
  });
}

UpdatePolicy standard_policy(const AlgorithmSpec& learner) {
  return learner_info(learner).policy;
}

std::string text_of(const AlgorithmSpec& spec) {
  return text_of(spec, params_named(spec.name));
}

std::string_view text_of(UpdatePolicy policy) {
  switch (policy) {
    case UpdatePolicy::mistake:
      return "mistake";
    case UpdatePolicy::asked:
      return "asked";
    case UpdatePolicy::margin:
      break;
  }
  return "margin";
}

bool offers(const AlgorithmSpec& learner, std::string_view name) {
  return offers(entry_named(learner_entries(), learner.name, "learner"), name);
}

LearnerInfo learner_info(const AlgorithmSpec& learner) {
  const std::vector<LearnerEntry>& entries = learner_entries();
  return entry_named(entries, learner.name, "learner").info;
}

bool needs_dimension(const SamplerConfig& config) {
  bool needed = false;
  for_each_type(Learners{}, [&]<class L>() { needed |= asks_for_dimension<L>(config.learner); });
  for_each_type(Rules{}, [&]<class R>() { needed |= asks_for_dimension<R>(config.rule); });
  return needed;
}

bool gains_from_dimension(const SamplerConfig& config, FeatureView::Index dimension) {
  bool gains = false;
  for_each_type(Learners{}, [&]<class L>() {
    if constexpr (GainsFromDimension<L>) {
      gains |= L::info.name == config.learner.name &&
               L::gains_from_dimension(params_of<typename L::Params>(config.learner), dimension);
    }
  });
  return gains;
}

std::vector<std::string> state_names(const SamplerConfig& config) {
  constexpr FeatureView::Index few = 2;  // for algorithms that must know the number of features
  Snapshot snapshot;
  make_sampler(config, {.dimension = few})->save(snapshot, "");
  std::vector<std::string> names;
  for (const auto& [name, tensor] : snapshot.tensors) {
    if (name.starts_with("learner.") || name.starts_with("rule.")) names.push_back(name);
  }
  return names;
}

void throw_unacceptable_policy(const SamplerConfig& config) {
  const std::vector<LearnerEntry>& entries = learner_entries();
  std::string accepted;
  for (const UpdatePolicy policy : entry_named(entries, config.learner.name, "learner").policies) {
    accepted += fmt::format("{}{}", accepted.empty() ? "" : ", ", text_of(policy));
  }
  throw ConfigError(fmt::format("update '{}' makes no sense for {}, accepted: {}", text_of(config.update),
                                config.learner.name, accepted));
}

std::unique_ptr<AnySampler> make_sampler(const SamplerConfig& config, const Setting& setting,
                                         Exactness exactness) {
  for (const auto make : {make_first_order, make_second_order, make_kernel, make_cutting_plane}) {
    if (auto sampler = make(config, setting, exactness)) return sampler;
  }
  throw ConfigError(fmt::format("no sampler {} + {}", config.learner.name, config.rule.name));
}

}  // namespace askfew
