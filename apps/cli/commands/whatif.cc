#include "askfew/sessions/whatif.h"

#include <fmt/format.h>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

#include "askfew/sessions/session_ledger.h"
#include "askfew/system/memory_limit.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/options/memory.h"
#include "apps/cli/options/options.h"
#include "apps/cli/outputs.h"
#include "apps/cli/reports/totals.h"

namespace askfew::cli {
namespace {

using nlohmann::json;

constexpr double enough_coverage = 0.8;  // below it the figures say little

struct WhatIfCommand {
  std::string ledger_path;
  std::string sampler;
  std::string learner;
  std::string rule;
  std::string update;
  SpendingOptions spending;
  std::string json_path;
  std::uint64_t max_memory = usual_memory();

  int operator()() const;

 private:
  [[nodiscard]] SamplerConfig other_than(const SamplerConfig& recorded) const;
};

/// What is not given stays as it was.
SamplerConfig WhatIfCommand::other_than(const SamplerConfig& recorded) const {
  if (!sampler.empty() && (!learner.empty() || !rule.empty())) {
    throw ConfigError("--sampler names learner and rule already: give it, or --learner and --rule");
  }
  SamplerConfig other = recorded;
  if (!sampler.empty()) {
    other = parse_preset(sampler);
    other.spending = recorded.spending;
  }
  if (!learner.empty()) {
    other.learner = parse_learner(learner);
    other.update = standard_policy(other.learner);
  }
  if (!rule.empty()) other.rule = parse_rule(rule);
  if (!update.empty()) other.update = parse_policy(update);
  SpendingOptions given = spending;
  const bool no_budget = given.budget == "none";
  if (no_budget) given.budget.clear();
  const Spending wanted = given.spending();
  if (no_budget || wanted.budget.is_set()) other.spending.budget = wanted.budget;
  if (!given.audit.empty()) other.spending.audit = wanted.audit;
  check(other.spending);
  return other;
}

std::string name_of(const SamplerConfig& config) {
  std::string name = fmt::format("{} + {}, update on {}", text_of(config.learner), text_of(config.rule),
                                 text_of(config.update));
  if (config.spending.budget.is_set()) name += ", budget " + text_of(config.spending.budget);
  if (config.spending.audit > 0) name += fmt::format(", audit {:.4g}%", 100 * config.spending.audit);
  return name;
}

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f}%", 100 * *share) : "-";
}

std::string asked_text(const WhatIf::Run& run, std::uint64_t rounds) {
  const double share = rounds == 0 ? 0 : static_cast<double>(run.asked) / static_cast<double>(rounds);
  return fmt::format("{} ({:.2f}%)", grouped(run.asked), 100 * share);
}

std::string figure_text(const WhatIf& result, const WhatIf::Run& run, Estimated Quality::*figure) {
  if (!run.quality) return "-";
  const Estimated& of = (*run.quality).*figure;
  if (result.audit == 0) return fmt::format("{:.4f}", of.value);
  return fmt::format("{:.4f} [{:.4f}, {:.4f}]", of.value, of.interval.low, of.interval.high);
}

/// What one must know to read the figures.
std::string notes_of(const WhatIf& result) {
  std::string notes;
  if (!result.other.quality) {
    notes +=
        "note: every label was asked for sure or not at all, and there was no audit: nothing is known of the "
        "others\n";
  } else if (result.audit == 0) {
    notes += "note: the ledger's run had no audit: there is no valid interval, these are guesses";
    if (result.unreachable > 0) {
      notes += fmt::format("; {} rounds had no chance to be asked", grouped(result.unreachable));
    }
    notes += '\n';
  }
  if (result.coverage.known < result.coverage.asked) {
    notes += "note: these are the figures of what it predicts without the labels that are not known\n";
  }
  std::string low;
  for (std::size_t k = 0; k < WhatIf::parts; ++k) {
    const auto coverage = result.part_of_stream[k].coverage();
    if (coverage && *coverage < enough_coverage) low += fmt::format("{}{}", low.empty() ? "" : ", ", k + 1);
  }
  if (!low.empty()) {
    notes += fmt::format(
        "note: in tenths {} of the stream fewer than {:.0f}% of its labels are known: from there on it has "
        "learned "
        "less "
        "than it would have, and the figures say little\n",
        low, 100 * enough_coverage);
  }
  return notes;
}

std::string text_report(const WhatIf& result, const std::string& path, const SamplerConfig& recorded,
                        const SamplerConfig& other) {
  std::string text = fmt::format("ledger     {}: {} rounds, {} labels known\n", path, grouped(result.rounds),
                                 grouped(result.known));
  text += fmt::format("recorded   {}\nwhat if    {}\n\n", name_of(recorded), name_of(other));
  const auto row = [&](std::string_view name, const std::string& of_recorded, const std::string& of_other) {
    text += fmt::format("{:<10} {:<26} {}\n", name, of_recorded, of_other);
  };
  row("", "recorded", "what if");
  row("asked", asked_text(result.recorded, result.rounds), asked_text(result.other, result.rounds));
  row("error", figure_text(result, result.recorded, &Quality::error),
      figure_text(result, result.other, &Quality::error));
  if (!result.are_classes) {
    row("F", figure_text(result, result.recorded, &Quality::f1),
        figure_text(result, result.other, &Quality::f1));
  }
  text += fmt::format("\ncoverage   {} of the {} labels that it asks for are known: {}\n",
                      grouped(result.coverage.known), grouped(result.coverage.asked),
                      percent(result.coverage.coverage()));
  text += "by tenth  ";
  for (const WhatIf::Part& part : result.part_of_stream) text += ' ' + percent(part.coverage());
  return text + '\n' + notes_of(result);
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

json json_report(const WhatIf& result, const SamplerConfig& recorded, const SamplerConfig& other) {
  json tenths = json::array();
  for (const WhatIf::Part& part : result.part_of_stream) tenths.push_back(json_of(part));
  return {{"rounds", result.rounds},
          {"known", result.known},
          {"unreachable", result.unreachable},
          {"audit", result.audit},
          {"recorded", json_of(result, result.recorded, recorded)},
          {"what_if", json_of(result, result.other, other)},
          {"coverage", json_of(result.coverage)},
          {"tenths", tenths}};
}

int WhatIfCommand::operator()() const {
  Outputs outputs({{"--json", json_path}}, {{"LEDGER", ledger_path}});
  const LedgerFile file = LedgerFile::for_reading(ledger_path);
  LedgerReader reader(file);
  const auto memory = std::make_shared<MemoryLimit>(max_memory);
  const auto recorded = session_of(reader, ledger_path, memory);
  ModelConfig config = recorded->model().config;
  const SamplerConfig before = config.sampler;
  config.sampler = other_than(before);
  // What the ledger's run can still correct, the other must not have forgotten.
  constexpr auto all = std::numeric_limits<std::uint64_t>::max();
  Session other(make_model(config, {.exactness = Exactness::exact, .memory = memory}), {.keep = all}, memory);
  const WhatIf result = what_if(reader, ledger_path, *recorded, other);
  if (std::ostream* out = outputs.of("--json"))
    *out << json_report(result, before, config.sampler).dump(2) << '\n';
  outputs.commit();
  if (!outputs.take_standard_output()) std::cout << text_report(result, ledger_path, before, config.sampler);
  return ok;
}

}  // namespace

void add_whatif(CLI::App& program, Ending& ending) {
  auto asked = std::make_shared<WhatIfCommand>();
  CLI::App* command = program.add_subcommand(
      "whatif", "Estimate what another sampler would have spent and scored on the stream of a ledger.");
  command->add_option("LEDGER", asked->ledger_path, "written by askfew stream --ledger")
      ->required()
      ->check(a_name);
  command->add_option("-s,--sampler", asked->sampler, "preset, e.g. sel-p or sel-p:b=0.5")->check(a_name);
  command->add_option("--learner", asked->learner, "learner (default: the ledger's)")->check(a_name);
  command->add_option("--rule", asked->rule, "query rule (default: the ledger's)")->check(a_name);
  command->add_option("--update", asked->update, "mistake, asked or margin")->check(a_name);
  asked->spending.add_to(*command);
  command->get_option("--budget")->description("as of askfew stream, or none (default: the ledger's budget)");
  command->get_option("--audit")->description("as of askfew stream (default: the ledger's)");
  command->add_option("--json", asked->json_path, "write the report here as JSON; - is standard output")
      ->check(a_name);
  add_max_memory(*command, asked->max_memory);
  command->callback([asked, &ending] { ending.code = (*asked)(); });
}

}  // namespace askfew::cli
