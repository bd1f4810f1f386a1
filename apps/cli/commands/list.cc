#include <algorithm>
#include <fmt/core.h>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "askfew/catalog/catalog.h"
#include "askfew/config/names.h"
#include "askfew/config/text.h"
#include "askfew/features/feature_options.h"
#include "askfew/json/json_text.h"
#include "askfew/streams/formats/synthetic/synthetic.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/options/flags.h"

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

template <class Entry>
json offers_of(const Entry& entry) {
  json names = json::array();
  for (const Offer& offer : entry.offers) {
    if (offer.made) names.push_back(offer.name);
  }
  return names;
}

/// The tensors of a learner's or a rule's state, as a model names them after the prefix.
json tensors_of(const SamplerConfig& config, const std::string& prefix) {
  json names = json::array();
  for (const std::string& name : state_names(config)) {
    if (name.starts_with(prefix)) names.push_back(name.substr(prefix.size()));
  }
  return names;
}

/// A learner that goes with the rule, if there is one.
AlgorithmSpec learner_for(const RuleEntry& rule) {
  for (const LearnerEntry& learner : learner_entries()) {
    if (fit(learner, rule)) return parse_learner(learner.info.name);
  }
  return {};
}

json json_list() {
  json out = {{"presets", json::array()},
              {"learners", json::array()},
              {"rules", json::array()},
              {"streams", json::array()},
              {"features", json::array()}};
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
    SamplerConfig config{.learner = parse_learner(learner.info.name), .rule = parse_rule("always")};
    config.update = learner.info.policy;
    out["learners"].push_back({{"name", learner.info.name},
                               {"formula", learner.info.formula},
                               {"paper", learner.info.paper},
                               {"policies", policies},
                               {"update", text_of(learner.info.policy)},
                               {"unit_norm", learner.info.unit_norm},
                               {"has_spread", offers(learner, "spread")},
                               {"needs_dimension", needs_dimension(config)},
                               {"offers", offers_of(learner)},
                               {"state", tensors_of(config, "learner.")},
                               {"test_specs", learner.test_specs},
                               {"params", json_of(learner.params)}});
  }
  for (const RuleEntry& rule : rule_entries()) {
    SamplerConfig config{.learner = learner_for(rule), .rule = parse_rule(rule.info.name)};
    config.update = standard_policy(config.learner);
    out["rules"].push_back({{"name", rule.info.name},
                            {"formula", rule.info.formula},
                            {"paper", rule.info.paper},
                            {"needs_spread", rule.needs_spread},
                            {"offers", offers_of(rule)},
                            {"state", tensors_of(config, "rule.")},
                            {"test_specs", rule.test_specs},
                            {"params", json_of(rule.params)}});
  }
  for (const SyntheticEntry& stream : synthetic_entries()) {
    out["streams"].push_back({{"name", stream.info.name},
                              {"formula", stream.info.formula},
                              {"paper", stream.info.paper},
                              {"params", json_of(stream.params)}});
  }
  for (const FeatureOption& option : feature_option_table()) {
    const std::string usual = option.get(FeatureOptions{});
    out["features"].push_back({{"name", option.name},
                               {"default", usual.empty() ? "none" : usual},
                               {"accepted", option.accepted},
                               {"help", option.help}});
  }
  return out;
}

/// Rows of texts whose columns are as wide as their widest text.
class Columns {
 public:
  void fit(const std::vector<std::string>& row) {
    widths_.resize(std::max(widths_.size(), row.size()));
    for (std::size_t k = 0; k < row.size(); ++k) widths_[k] = std::max(widths_[k], row[k].size());
  }
  [[nodiscard]] std::string text(const std::vector<std::string>& row) const {
    std::string line;
    for (std::size_t k = 0; k + 1 < row.size(); ++k) line += fmt::format("{:<{}} ", row[k], widths_[k]);
    return line + row.back();
  }

 private:
  std::vector<std::size_t> widths_;
};

std::vector<std::string> row_of(const PresetEntry& preset) {
  return {preset.name, text_of(preset.config.learner), "+ " + text_of(preset.config.rule), preset.paper};
}

std::vector<std::string> row_of(const ParamEntry& param) {
  return {param.name, "default " + param.range.text_of(param.standard), param.range.text(), param.help};
}

void print_presets() {
  Columns columns;
  for (const PresetEntry& preset : preset_entries()) columns.fit(row_of(preset));
  std::cout << "PRESETS  askfew run DATA --sampler NAME, or NAME:PARAMETER=VALUE,...\n";
  for (const PresetEntry& preset : preset_entries()) {
    std::cout << fmt::format("  {}\n", columns.text(row_of(preset)));
  }
}

void print_params(const std::vector<ParamEntry>& params, const Columns& columns) {
  for (const ParamEntry& param : params) std::cout << fmt::format("      {}\n", columns.text(row_of(param)));
}

void print_learner(const LearnerEntry& learner, const Columns& columns) {
  std::cout << fmt::format("  {:<16} {}\n      {}; updates on {}{}{}\n", learner.info.name,
                           learner.info.formula, learner.info.paper, text_of(learner.info.policy),
                           offers(learner, "spread") ? "; has a spread" : "",
                           learner.info.unit_norm ? "; needs --normalize" : "");
  print_params(learner.params, columns);
}

void print_rule(const RuleEntry& rule, const Columns& columns) {
  std::cout << fmt::format("  {:<16} {}\n      {}{}\n", rule.info.name, rule.info.formula, rule.info.paper,
                           rule.needs_spread ? "; needs a learner with a spread" : "");
  print_params(rule.params, columns);
}

void print_stream(const SyntheticEntry& stream, const Columns& columns) {
  std::cout << fmt::format("  {:<16} {}\n      {}\n", stream.info.name, stream.info.formula,
                           stream.info.paper);
  print_params(stream.params, columns);
}

Columns all_params() {
  Columns columns;
  for (const LearnerEntry& learner : learner_entries()) {
    for (const ParamEntry& param : learner.params) columns.fit(row_of(param));
  }
  for (const RuleEntry& rule : rule_entries()) {
    for (const ParamEntry& param : rule.params) columns.fit(row_of(param));
  }
  for (const SyntheticEntry& stream : synthetic_entries()) {
    for (const ParamEntry& param : stream.params) columns.fit(row_of(param));
  }
  return columns;
}

void print_list() {
  const Columns columns = all_params();
  print_presets();
  std::cout << "\nLEARNERS  --learner NAME:PARAMETER=VALUE,...\n";
  for (const LearnerEntry& learner : learner_entries()) print_learner(learner, columns);
  std::cout << "\nRULES  --rule NAME:PARAMETER=VALUE,...   (m margin, x instance, t round, K = N updates)\n";
  for (const RuleEntry& rule : rule_entries()) print_rule(rule, columns);
  std::cout << "\nSTREAMS  askfew run synthetic:NAME:PARAMETER=VALUE,...   (made up: u teacher, x instance, "
               "y label)\n";
  for (const SyntheticEntry& stream : synthetic_entries()) print_stream(stream, columns);
}

/// One entry, of whatever kind. THROWS: ConfigError with the nearest name.
void print_entry(const std::string& name) {
  const Columns columns = all_params();
  std::vector<std::string> known;
  bool found = false;
  const auto look = [&](const auto& entries, const auto& name_of, const auto& print) {
    for (const auto& entry : entries) {
      known.emplace_back(name_of(entry));
      if (known.back() != name) continue;
      print(entry);
      found = true;
    }
  };
  const auto info_name = [](const auto& entry) { return entry.info.name; };
  look(
      preset_entries(), [](const PresetEntry& entry) { return entry.name; },
      [](const PresetEntry& entry) {
        std::cout << fmt::format("preset  {}: {} + {}, update on {}\n      {}\n", entry.name,
                                 text_of(entry.config.learner), text_of(entry.config.rule),
                                 text_of(entry.config.update), entry.paper);
      });
  look(learner_entries(), info_name, [&](const LearnerEntry& entry) {
    std::cout << "learner";
    print_learner(entry, columns);
  });
  look(rule_entries(), info_name, [&](const RuleEntry& entry) {
    std::cout << "rule";
    print_rule(entry, columns);
  });
  look(synthetic_entries(), info_name, [&](const SyntheticEntry& entry) {
    std::cout << "stream";
    print_stream(entry, columns);
  });
  if (!found)
    throw ConfigError(fmt::format("nothing is called {}: {}", in_quotes(name), did_you_mean(name, known)));
}

}  // namespace

void add_list(Command& program) {
  auto as_json = std::make_shared<bool>(false);
  Command* command =
      program.add_subcommand("list", "Show the presets, learners, rules and synthetic streams.");
  command->add_flag("--json", *as_json, "for programs");
  auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "only the entry with this name")->check(a_name);
  command->callback([as_json, name] {
    if (*as_json && !name->empty()) throw ConfigError("--json is for the whole list: leave NAME out");
    if (*as_json) {
      std::cout << json_text(json_list(), 2) << '\n';
    } else if (!name->empty()) {
      print_entry(*name);
    } else {
      print_list();
    }
  });
}

}  // namespace askfew::cli
