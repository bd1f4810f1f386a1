#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "askfew/catalog/catalog.h"

#include "apps/cli/commands.h"

namespace askfew::cli {
namespace {

using nlohmann::json;

json json_of(const std::vector<ParamEntry>& params) {
  json list = json::array();
  for (const ParamEntry& param : params) {
    list.push_back({{"name", param.name},
                    {"default", param.range.choices.empty() ? json(param.standard)
                                                            : json(param.range.text_of(param.standard))},
                    {"range", param.range.text()},
                    {"help", param.help}});
  }
  return list;
}

json json_list() {
  json out = {{"presets", json::array()}, {"learners", json::array()}, {"rules", json::array()}};
  for (const PresetEntry& preset : preset_entries()) {
    out["presets"].push_back({{"name", preset.name},
                              {"learner", text_of(preset.config.learner)},
                              {"rule", text_of(preset.config.rule)},
                              {"update", text_of(preset.config.update)},
                              {"paper", preset.paper}});
  }
  for (const LearnerEntry& learner : learner_entries()) {
    json policies = json::array();
    for (const UpdatePolicy policy : learner.policies) policies.push_back(text_of(policy));
    const AlgorithmSpec spec{.name = std::string(learner.info.name), .params = {}};
    out["learners"].push_back(
        {{"name", learner.info.name},
         {"formula", learner.info.formula},
         {"paper", learner.info.paper},
         {"policies", policies},
         {"update", text_of(learner.info.policy)},
         {"unit_norm", learner.info.unit_norm},
         {"needs_dimension", needs_dimension({.learner = spec, .rule = parse_rule("always")})},
         {"params", json_of(learner.params)}});
  }
  for (const RuleEntry& rule : rule_entries()) {
    out["rules"].push_back({{"name", rule.info.name},
                            {"formula", rule.info.formula},
                            {"paper", rule.info.paper},
                            {"params", json_of(rule.params)}});
  }
  return out;
}

void print_params(const std::vector<ParamEntry>& params) {
  for (const ParamEntry& param : params) {
    std::cout << fmt::format("      {:<8} default {:<6} {:<14} {}\n", param.name,
                             param.range.text_of(param.standard), param.range.text(), param.help);
  }
}

void print_list() {
  std::cout << fmt::format("PRESETS  askfew run DATA --sampler NAME, or NAME:PARAMETER=VALUE,...\n");
  for (const PresetEntry& preset : preset_entries()) {
    std::cout << fmt::format("  {:<17} {:<32} + {:<34} {}\n", preset.name, text_of(preset.config.learner),
                             text_of(preset.config.rule), preset.paper);
  }
  std::cout << fmt::format("\nLEARNERS  --learner NAME:PARAMETER=VALUE,...\n");
  for (const LearnerEntry& learner : learner_entries()) {
    std::cout << fmt::format("  {:<17} {}\n      {}; updates on {}{}\n", learner.info.name,
                             learner.info.formula, learner.info.paper, text_of(learner.info.policy),
                             learner.info.unit_norm ? "; needs --normalize" : "");
    print_params(learner.params);
  }
  std::cout << fmt::format(
      "\nRULES  --rule NAME:PARAMETER=VALUE,...   (m margin, x instance, t round, K = N updates)\n");
  for (const RuleEntry& rule : rule_entries()) {
    std::cout << fmt::format("  {:<16} {}\n      {}\n", rule.info.name, rule.info.formula, rule.info.paper);
    print_params(rule.params);
  }
}

}  // namespace

void add_list(CLI::App& program) {
  auto as_json = std::make_shared<bool>(false);
  CLI::App* command = program.add_subcommand("list", "Show the presets, learners and rules.");
  command->add_flag("--json", *as_json, "for programs");
  command->callback([as_json] {
    if (*as_json) {
      std::cout << json_list().dump(2) << '\n';
    } else {
      print_list();
    }
  });
}

}  // namespace askfew::cli
