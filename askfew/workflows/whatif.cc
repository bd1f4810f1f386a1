#include "askfew/workflows/whatif.h"

#include <fmt/core.h>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "askfew/json/json_text.h"
#include "askfew/sessions/session_ledger.h"
#include "askfew/workflows/setup.h"

namespace askfew {
namespace {

using nlohmann::json;

/// Options that are not given stay as recorded.
SamplerConfig other_than(const SamplerConfig& recorded, const SamplerOptions& options) {
  if (!options.sampler.empty() && (!options.learner.empty() || !options.rule.empty())) {
    throw ConfigError("`sampler` names learner and rule already: give it, or `learner` and `rule`");
  }
  SamplerConfig other = recorded;
  if (!options.sampler.empty()) {
    other = parse_preset(options.sampler);
    other.spending = recorded.spending;
  }
  if (!options.learner.empty()) {
    other.learner = parse_learner(options.learner);
    other.update = standard_policy(other.learner);
  }
  if (!options.rule.empty()) other.rule = parse_rule(options.rule);
  if (!options.update.empty()) other.update = parse_policy(options.update);
  SamplerOptions given = options;
  const bool no_budget = given.budget == "none";
  if (no_budget) given.budget.clear();
  const Spending wanted = spending_of(given);
  if (no_budget || wanted.budget.is_set()) other.spending.budget = wanted.budget;
  if (!given.audit.empty()) other.spending.audit = wanted.audit;
  check(other.spending);
  return other;
}

json json_of(const WhatIf::Part& part) {
  const auto coverage = part.coverage();
  return {{"asked", part.asked}, {"known", part.known}, {"coverage", coverage ? json(*coverage) : json()}};
}

json json_of(const WhatIf& result, const Estimated& figure) {
  if (result.audit == 0) return {{"value", figure.value}, {"low", nullptr}, {"high", nullptr}};
  return {{"value", figure.value}, {"low", figure.interval.low}, {"high", figure.interval.high}};
}

json json_of(const WhatIf& result, const WhatIf::Run& run, const SamplerConfig& config) {
  json out = {{"sampler", name_of(config)},
              {"asked", run.asked},
              {"expected_asked", run.expected_asked},
              {"error", nullptr},
              {"f1", nullptr}};
  if (run.quality) out["error"] = json_of(result, run.quality->error);
  if (run.quality && !result.are_classes) out["f1"] = json_of(result, run.quality->f1);
  return out;
}

}  // namespace

WhatIfResult what_if(const WhatIfOptions& options, const Hooks& hooks) {
  const auto store = options.ledger.for_reading();
  LedgerReader reader(*store);
  const auto memory = std::make_shared<MemoryLimit>(options.max_memory);
  const auto recorded = session_of(reader, options.ledger.name(), memory);
  ModelConfig config = recorded->model().config;
  const SamplerConfig before = config.sampler;
  config.sampler = other_than(before, options.sampler);
  // The other session must remember every question that the recorded run can still correct.
  constexpr auto all = std::numeric_limits<std::uint64_t>::max();
  Model model = make_model(config, {.exactness = Exactness::exact, .memory = memory});
  if (config.seeds.count > 0) {
    if (text_of(config.sampler.learner) != text_of(before.learner)) {
      throw ConfigError(fmt::format(
          "{}: its learner had learned {} labels before the first line, which another learner does not know: "
          "ask about the learner {}",
          options.ledger.name(), config.seeds.count, text_of(before.learner)));
    }
    begin_with(knowledge_of(recorded->model()), model);
  }
  Session other(std::move(model), {.keep = all, .mixes_late = recorded->settings().queue.mixes_late}, memory);
  WhatIfResult result{.recorded = before,
                      .other = config.sampler,
                      .tasks = what_if(reader, options.ledger.name(), *recorded, other, hooks.stop),
                      .topics = {}};
  if (recorded->has_topics()) result.topics = recorded->model().config.labels.names;
  return result;
}

std::string name_of(const SamplerConfig& config) {
  std::string name = fmt::format("{} + {}, update on {}", text_of(config.learner), text_of(config.rule),
                                 text_of(config.update));
  if (config.spending.budget.is_set()) name += ", budget " + text_of(config.spending.budget);
  if (config.spending.audit > 0) name += fmt::format(", audit {:.4g}%", 100 * config.spending.audit);
  return name;
}

std::string json_of(const WhatIfResult& result) {
  const auto of_task = [&](const WhatIf& found) {
    json tenths = json::array();
    for (const WhatIf::Part& part : found.part_of_stream) tenths.push_back(json_of(part));
    return json{{"rounds", found.rounds},
                {"known", found.known},
                {"unreachable", found.unreachable},
                {"audit", found.audit},
                {"recorded", json_of(found, found.recorded, result.recorded)},
                {"what_if", json_of(found, found.other, result.other)},
                {"coverage", json_of(found.coverage)},
                {"tenths", tenths}};
  };
  if (result.topics.empty()) return json_text(of_task(result.tasks[0]), 2);
  json topics = json::object();
  for (std::size_t k = 0; k < result.topics.size(); ++k) topics[result.topics[k]] = of_task(result.tasks[k]);
  return json_text(json{{"topics", topics}}, 2);
}

}  // namespace askfew
