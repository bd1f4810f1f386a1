// Texts by which a user names a sampler: presets, learners, rules, policies, with parameters.

#include <optional>

#include "askfew/catalog/catalog.h"

#include "tests/fuzz/exercise.h"
#include "tests/fuzz/harness.h"

namespace askfew::fuzz {
namespace {

constexpr FeatureView::Index dimension = 9;

/// The result of the parser, or nothing if the parser refuses with a message.
template <class F>
auto parsed(F parse, std::string_view text) -> std::optional<decltype(parse(text))> {
  try {
    return parse(text);
  } catch (const ConfigError& error) {
    FUZZ_CHECK(*error.what() != '\0');
    return std::nullopt;
  }
}

void check_params(const AlgorithmSpec& spec, const std::vector<ParamEntry>& params) {
  FUZZ_CHECK(spec.params.size() == params.size());
  for (const ParamEntry& param : params) FUZZ_CHECK(param.range.contains(spec.params.at(param.name)));
}

template <class Entries>
void check_spec(const AlgorithmSpec& spec, const Entries& entries) {
  std::size_t found = 0;
  for (const auto& entry : entries) {
    if (entry.info.name != spec.name) continue;
    check_params(spec, entry.params);
    ++found;
  }
  FUZZ_CHECK(found == 1);
}

/// lasec and lasec-bank need b below c, in addition to their ranges.
bool has_a_law_between_params(const AlgorithmSpec& learner) {
  return learner.name.find("lasec") != std::string::npos;
}

/// Parameters in their ranges make a sampler that runs; only illegal pairs are refused.
void check_runs(const SamplerConfig& config, bool may_be_illegal) {
  try {
    const auto sampler = make_sampler(config, {.key = {.seed = 1, .task = 0}, .dimension = dimension});
    exercise(*sampler, dimension);
  } catch (const ConfigError&) {
    FUZZ_CHECK(may_be_illegal);
  }
}

void check_preset(std::string_view text) {
  const auto config = parsed(parse_preset, text);
  if (!config) return;
  check_spec(config->learner, learner_entries());
  check_spec(config->rule, rule_entries());
  check_runs(*config, has_a_law_between_params(config->learner));
}

void check_learner(std::string_view text) {
  const auto learner = parsed(parse_learner, text);
  if (!learner) return;
  check_spec(*learner, learner_entries());
  FUZZ_CHECK(parse_learner(askfew::text_of(*learner)) == *learner);
  check_runs({.learner = *learner, .rule = parse_rule("always"), .update = standard_policy(*learner)},
             has_a_law_between_params(*learner));
}

void check_rule(std::string_view text) {
  const auto rule = parsed(parse_rule, text);
  if (!rule) return;
  check_spec(*rule, rule_entries());
  FUZZ_CHECK(parse_rule(askfew::text_of(*rule)) == *rule);
  check_runs({.learner = parse_learner("perceptron"), .rule = *rule}, true);
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> texts{"sel-p:rule.b=0.5,learner.rate=2", "mistake", "pa-1:C=1e-3,"};
  for (const PresetEntry& preset : preset_entries()) texts.push_back(preset.name);
  for (const LearnerEntry& entry : learner_entries()) {
    texts.push_back(askfew::text_of(parse_learner(entry.info.name)));
  }
  for (const RuleEntry& entry : rule_entries()) texts.push_back(askfew::text_of(parse_rule(entry.info.name)));
  return texts;
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew::fuzz;
  std::string_view text = text_of(data, size);
  text = text.substr(0, text.find('\0'));  // a command line cannot contain a zero byte
  check_preset(text);
  check_learner(text);
  check_rule(text);
  if (const auto policy = parsed(askfew::parse_policy, text)) FUZZ_CHECK(askfew::text_of(*policy) == text);
  return 0;
}
