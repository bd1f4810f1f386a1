#include "askfew/workflows/compare.h"

#include <algorithm>
#include <fmt/core.h>
#include <iostream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "askfew/config/share.h"
#include "askfew/core/version.h"
#include "askfew/reports/page.h"
#include "askfew/workflows/input_files.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/flags.h"
#include "apps/cli/outputs.h"
#include "apps/cli/reports/jobs_progress.h"
#include "apps/cli/reports/terminal_hooks.h"

namespace askfew::cli {
namespace {

struct CompareCommand {
  CompareOptions options;
  std::string metric = "f1";
  std::string csv;
  std::string json_path;
  std::string html;
  std::string svg;
  bool quiet = false;

  int operator()() const;

 private:
  [[nodiscard]] const Sample& score(const ComparePoint& point) const {
    return metric == "f1" ? point.f1 : point.accuracy;
  }
  [[nodiscard]] std::string score_name() const { return metric == "f1" ? "F" : "accuracy"; }
  /// One row per sampler, one column per rate.
  [[nodiscard]] Table overview(const CompareResult& result) const;
  [[nodiscard]] Figure figure(const CompareResult& result) const;
  [[nodiscard]] std::string page(const CompareResult& result) const;
};

/// Everything, one row per point. A single run has no interval, a sampler that fails no figures. The last
/// column is there if one fails.
Table details(const CompareResult& result) {
  const bool some_fail = std::ranges::any_of(result.points, &ComparePoint::fails);
  Table table{
      .caption = "every point: means over the runs, and half the width of their 95% intervals",
      .columns = {"sampler", "rate", "settings", "share", "f1", "f1_half", "accuracy", "accuracy_half"}};
  if (some_fail) table.columns.emplace_back("failure");
  for (const ComparePoint& p : result.points) {
    const auto number = [&](double value) { return p.fails() ? "" : fmt::format("{:.5f}", value); };
    const auto half_width = [&](const Sample& sample) {
      return result.runs < 2 ? "" : number(sample.half_width);
    };
    table.rows.push_back({p.sampler, fmt::format("{:g}", p.rate), p.settings, number(p.share.mean),
                          number(p.f1.mean), half_width(p.f1), number(p.accuracy.mean),
                          half_width(p.accuracy)});
    if (some_fail) table.rows.back().push_back(with_flags(p.failure));
  }
  return table;
}

Table CompareCommand::overview(const CompareResult& result) const {
  Table table{.caption = fmt::format("{} at shares of the labels", score_name()), .columns = {"sampler"}};
  for (const double rate : result.rates) table.columns.push_back(text_of_share(rate));
  const std::size_t columns = result.rates.size();
  for (std::size_t k = 0; k < result.samplers.size(); ++k) {
    std::vector<std::string> row{result.samplers[k]};
    for (std::size_t r = 0; r < columns; ++r) {
      const ComparePoint& point = result.points[k * columns + r];
      // A rule that cannot be brought to a share says how far it came; its score is not comparable.
      row.push_back(reaches_share(point) ? fmt::format("{:.4f}", score(point).mean)
                    : point.fails()      ? "- (fails)"
                                         : fmt::format("- (asks {})", text_of_share(point.share.mean)));
    }
    table.rows.push_back(row);
  }
  return table;
}

Figure CompareCommand::figure(const CompareResult& result) const {
  Figure figure{.title = fmt::format("{} of samplers on {}", score_name(), result.data),
                .x = {.title = "share of the labels asked, in %", .logarithmic = true},
                .y = {.title = score_name()}};
  for (const double rate : result.rates) figure.marks.push_back(100 * rate);
  for (const std::string& sampler : result.samplers) {
    Series series{.title = sampler};
    std::vector<ComparePoint> points;
    std::ranges::copy_if(result.points, std::back_inserter(points),
                         [&](const ComparePoint& p) { return p.sampler == sampler && !p.fails(); });
    if (points.empty()) continue;
    std::ranges::stable_sort(points, {}, [](const ComparePoint& p) { return p.share.mean; });
    for (const ComparePoint& p : points) {
      series.x.push_back(100 * p.share.mean);
      series.y.push_back(score(p).mean);
      // No score is outside of 0 and 1.
      series.low.push_back(std::max(0.0, score(p).mean - score(p).half_width));
      series.high.push_back(std::min(1.0, score(p).mean + score(p).half_width));
    }
    figure.series.push_back(series);
  }
  return figure;
}

std::string CompareCommand::page(const CompareResult& result) const {
  Page page(fmt::format("Samplers on {}", result.data));
  page.paragraph(fmt::format("{} examples, {} {}; {} runs a point that differ in their {}. {}",
                             result.examples, result.tasks, result.tasks == 1 ? "task" : "tasks",
                             options.runs, options.shuffle ? "coins and their orders of the data" : "coins",
                             result.tasks > 1 ? "Scores are means over the tasks." : ""));
  page.figure(figure(result), fmt::format("{} on every round, asked or not, against the labels paid for; "
                                          "bands are 95% intervals of the mean.",
                                          score_name()));
  page.table(overview(result));
  page.heading("Every point");
  page.table(details(result));
  page.facts({{"samplers", options.samplers},
              {"rates", options.rates},
              {"seed", options.seed},
              {"version", version}});
  return page.html();
}

int CompareCommand::operator()() const {
  JobHooks hooks;
  set_terminal_hooks(handle_interrupts(), hooks);
  Outputs outputs({{"--csv", csv}, {"--json", json_path}, {"--html", html}, {"--svg", svg}},
                  input_files(options.data, options.reading));
  JobsProgress progress("compare", quiet);
  progress.listen(hooks);
  const CompareResult result = compare(options, hooks);
  if (result.stopped) return interrupted_exit_code();
  if (std::ostream* out = outputs.of("--csv")) *out << csv_of(details(result));
  if (std::ostream* out = outputs.of("--json")) *out << with_flags(json_of(result)) << '\n';
  if (std::ostream* out = outputs.of("--html")) *out << page(result);
  if (std::ostream* out = outputs.of("--svg")) *out << svg_of(figure(result));
  outputs.commit();
  if (!outputs.take_standard_output()) std::cout << text_of(overview(result));
  return ok;
}

}  // namespace

void add_compare(Command& program, Ending& ending) {
  auto compare = std::make_shared<CompareCommand>();
  Command* command =
      program.add_subcommand("compare", "Compare samplers at equal shares of the labels, over several runs.");
  CompareOptions& options = compare->options;
  add_data_flags(*command, options.data);
  add_cache_flag(*command, options.data);
  add_label_flags(*command, options.labels);
  add_reading_flags(*command, options.reading);
  command->add_option("--samplers", options.samplers, "presets, separated by commas, e.g. sel-p,pa-log:C=0.1")
      ->check(a_name)
      ->capture_default_str();
  command->add_option("--rates", options.rates, "shares of the labels, separated by commas")
      ->check(a_name)
      ->capture_default_str();
  command->add_option("--metric", compare->metric, "f1, or accuracy")
      ->one_of({"f1", "accuracy"})
      ->capture_default_str();
  add_aim_flag(*command, options.aim);
  command->add_option("--runs", options.runs, "number of runs, each with its own coins")
      ->range(1, 1000)
      ->capture_default_str();
  add_first_seed_flag(*command, options.seed);
  command->add_flag("--shuffle", options.shuffle,
                    "shuffle the data in every run; without it, runs differ only in their coins");
  command->add_option("--csv", compare->csv, "write every point here as CSV; - is standard output")
      ->check(a_name);
  command->add_option("--json", compare->json_path, "write every point here as JSON")->check(a_name);
  command->add_option("--html", compare->html, "write a report here, one page with a figure")->check(a_name);
  command->add_option("--svg", compare->svg, "write the figure here")->check(a_name);
  command->add_flag("--quiet", compare->quiet, "no progress");
  command->callback([compare, &ending] { ending.code = (*compare)(); });
}

}  // namespace askfew::cli
