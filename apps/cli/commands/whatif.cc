#include "askfew/workflows/whatif.h"

#include <fmt/core.h>
#include <iostream>
#include <memory>

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/options/ledger_flag.h"
#include "apps/cli/options/memory_flag.h"
#include "apps/cli/outputs.h"
#include "apps/cli/reports/numbers.h"

namespace askfew::cli {
namespace {

constexpr double enough_coverage = 0.8;  // below it the figures say little

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
    notes +=
        "note: the other sampler could not learn the labels that are not known: with them its figures would "
        "differ\n";
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

/// A row per topic.
std::string topics_report(const WhatIfResult& report, const std::string& path) {
  std::string text = fmt::format("ledger     {}: {} rounds, {} topics\n", path,
                                 grouped(report.tasks[0].rounds), report.topics.size());
  text += fmt::format("recorded   {}\nwhat if    {}\n\n", name_of(report.recorded), name_of(report.other));
  text += fmt::format("{:<20} {:>18} {:>18} {:>26} {:>26} {:>9}\n", "topic", "asked, recorded",
                      "asked, what if", "F, recorded", "F, what if", "coverage");
  for (std::size_t k = 0; k < report.topics.size(); ++k) {
    const WhatIf& result = report.tasks[k];
    text += fmt::format("{:<20} {:>18} {:>18} {:>26} {:>26} {:>9}\n", report.topics[k],
                        asked_text(result.recorded, result.rounds), asked_text(result.other, result.rounds),
                        figure_text(result, result.recorded, &Quality::f1),
                        figure_text(result, result.other, &Quality::f1), percent(result.coverage.coverage()));
  }
  return text +
         "coverage is the share of the labels that it asks for and that are known; --json has all figures\n";
}

std::string text_report(const WhatIfResult& report, const std::string& path) {
  if (!report.topics.empty()) return topics_report(report, path);
  const WhatIf& result = report.tasks[0];
  std::string text = fmt::format("ledger     {}: {} rounds, {} labels known\n", path, grouped(result.rounds),
                                 grouped(result.known));
  text += fmt::format("recorded   {}\nwhat if    {}\n\n", name_of(report.recorded), name_of(report.other));
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

int show_what_if(const WhatIfOptions& options, const std::string& json_path) {
  Outputs outputs({{"--json", json_path}}, {{"LEDGER", options.ledger.path()}});
  const WhatIfResult result = what_if(options, {.stop = &handle_interrupts()});
  if (result.tasks[0].stopped) return interrupted_exit_code();
  if (std::ostream* out = outputs.of("--json")) *out << json_of(result) << '\n';
  outputs.commit();
  if (!outputs.take_standard_output()) std::cout << text_report(result, options.ledger.name());
  return ok;
}

}  // namespace

void add_whatif(Command& program, Ending& ending) {
  auto options = std::make_shared<WhatIfOptions>();
  auto json_path = std::make_shared<std::string>();
  Command* command = program.add_subcommand("whatif",
                                            "Estimate how many labels another sampler would have asked in a "
                                            "ledger's stream, and how well it would predict.");
  add_ledger_place(*command, "LEDGER", options->ledger, "ledger of askfew stream or label")->required();
  command->add_option("-s,--sampler", options->sampler.sampler, "preset, e.g. sel-p or sel-p:b=0.5")
      ->check(a_name);
  command->add_option("--learner", options->sampler.learner, "learner (default: the ledger's)")
      ->check(a_name);
  command->add_option("--rule", options->sampler.rule, "query rule (default: the ledger's)")->check(a_name);
  command->add_option("--update", options->sampler.update, "mistake, asked or margin")->check(a_name);
  add_spending_flags(*command, options->sampler);
  command->get_option("--budget")
      ->description(
          "budget of the other sampler, as in askfew stream; none: no budget (default: the ledger's budget)");
  command->get_option("--audit")->description(
      "audit of the other sampler, as in askfew stream (default: the ledger's audit)");
  command->add_option("--json", *json_path, "write the report here as JSON; - is standard output")
      ->check(a_name);
  add_max_memory(*command, options->max_memory);
  command->callback([options, json_path, &ending] { ending.code = show_what_if(*options, *json_path); });
}

}  // namespace askfew::cli
