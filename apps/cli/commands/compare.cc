#include "askfew/workflows/compare.h"

#include <fmt/format.h>
#include <iostream>
#include <memory>

#include "askfew/core/version.h"
#include "askfew/reports/page.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/experiment_options.h"
#include "apps/cli/outputs.h"

namespace askfew::cli {
namespace {

using nlohmann::json;

struct CompareCommand {
  ExperimentData source;
  std::string samplers = "pa-log,sel-p,sel-p-fixed";
  std::string rates = "1%,2%,5%,10%,20%,50%,100%";
  std::string metric = "f1";
  std::size_t runs = 5;
  std::uint64_t seed = 1;
  bool shuffle = false;
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
  /// A row a sampler, a column a rate.
  [[nodiscard]] Table overview(const std::vector<ComparePoint>& points, const ComparePlan& plan) const;
  [[nodiscard]] Figure figure(const std::vector<ComparePoint>& points, const ComparePlan& plan) const;
  [[nodiscard]] std::string page(const std::vector<ComparePoint>& points, const ComparePlan& plan,
                                 const ExperimentData::Loaded& data) const;
};

std::string percent(double share) {
  return fmt::format("{:.4g}%", 100 * share);
}

/// All there is, a row a point.
Table details(const std::vector<ComparePoint>& points) {
  Table table{
      .caption = "every point: means over the runs, and half the width of their 95% intervals",
      .columns = {"sampler", "rate", "settings", "share", "f1", "f1_half", "accuracy", "accuracy_half"}};
  for (const ComparePoint& p : points) {
    table.rows.push_back({p.sampler, fmt::format("{:g}", p.rate), p.settings,
                          fmt::format("{:.5f}", p.share.mean), fmt::format("{:.5f}", p.f1.mean),
                          fmt::format("{:.5f}", p.f1.half_width), fmt::format("{:.5f}", p.accuracy.mean),
                          fmt::format("{:.5f}", p.accuracy.half_width)});
  }
  return table;
}

json json_of(const Sample& sample) {
  return {{"mean", sample.mean}, {"deviation", sample.deviation}, {"half_width", sample.half_width}};
}

json json_of(const std::vector<ComparePoint>& points) {
  json all = json::array();
  for (const ComparePoint& p : points) {
    all.push_back({{"sampler", p.sampler},
                   {"rate", p.rate},
                   {"settings", p.settings},
                   {"share", json_of(p.share)},
                   {"f1", json_of(p.f1)},
                   {"accuracy", json_of(p.accuracy)}});
  }
  return all;
}

Table CompareCommand::overview(const std::vector<ComparePoint>& points, const ComparePlan& plan) const {
  Table table{.caption = fmt::format("{} at shares of the labels", score_name()), .columns = {"sampler"}};
  for (const double rate : plan.rates) table.columns.push_back(percent(rate));
  const std::size_t columns = plan.rates.size();
  for (std::size_t k = 0; k < plan.samplers.size(); ++k) {
    std::vector<std::string> row{plan.samplers[k].name};
    for (std::size_t r = 0; r < columns; ++r) {
      const ComparePoint& point = points[k * columns + r];
      // A rule that cannot be brought to a rate says how far it came.
      const bool off = std::abs(point.share.mean - point.rate) > 0.1 * point.rate;
      row.push_back(fmt::format("{:.4f}", score(point).mean) +
                    (off ? fmt::format(" (at {})", percent(point.share.mean)) : ""));
    }
    table.rows.push_back(row);
  }
  return table;
}

Figure CompareCommand::figure(const std::vector<ComparePoint>& points, const ComparePlan& plan) const {
  Figure figure{.title = "",
                .x = {.title = "share of the labels asked", .logarithmic = true},
                .y = {.title = score_name()}};
  for (const NamedSampler& sampler : plan.samplers) {
    Series series{.title = sampler.name};
    for (const ComparePoint& p : points) {
      if (p.sampler != sampler.name) continue;
      series.x.push_back(p.share.mean);
      series.y.push_back(score(p).mean);
      series.low.push_back(score(p).mean - score(p).half_width);
      series.high.push_back(score(p).mean + score(p).half_width);
    }
    figure.series.push_back(series);
  }
  return figure;
}

std::string CompareCommand::page(const std::vector<ComparePoint>& points, const ComparePlan& plan,
                                 const ExperimentData::Loaded& data) const {
  Page page(fmt::format("Samplers on {}", source.data.name()));
  page.paragraph(fmt::format("{} examples, {} {}; {} runs a point that differ in their {}. {}",
                             data.dataset.size(), data.dataset.tasks(),
                             data.dataset.tasks() == 1 ? "task" : "tasks", plan.runs,
                             shuffle ? "coins and their orders of the data" : "coins",
                             data.dataset.tasks() > 1 ? "Scores are means over the tasks." : ""));
  page.figure(figure(points, plan),
              fmt::format("{} on every round, asked or not, against the labels paid for; "
                          "bands are 95% intervals of the mean.",
                          score_name()));
  page.table(overview(points, plan));
  page.heading("Every point");
  page.table(details(points));
  page.facts({{"samplers", samplers}, {"rates", rates}, {"seed", seed}, {"version", version}});
  return page.html();
}

int CompareCommand::operator()() const {
  const std::atomic<bool>& interrupted = handle_interrupts();
  const ComparePlan plan{.samplers = parse_samplers(samplers),
                         .rates = parse_shares(rates),
                         .runs = runs,
                         .seed = seed,
                         .shuffle = shuffle};
  Outputs outputs({{"--csv", csv}, {"--json", json_path}, {"--html", html}, {"--svg", svg}},
                  source.reading.inputs(source.data));
  const ExperimentData::Loaded data = source.load(interrupted);
  check_norms(plan.samplers, data.dataset);
  JobsProgress progress("compare", quiet);
  std::vector<ComparePoint> points;
  try {
    points =
        compare(data.dataset, plan,
                {.threads = source.data.threads, .stop = &interrupted, .progress = [&](const JobsDone& done) {
                   progress(done);
                 }});
  } catch (const JobsStopped&) {
    return interrupted_exit_code();
  }
  if (std::ostream* out = outputs.of("--csv")) *out << csv_of(details(points));
  if (std::ostream* out = outputs.of("--json")) *out << json_of(points).dump(2) << '\n';
  if (std::ostream* out = outputs.of("--html")) *out << page(points, plan, data);
  if (std::ostream* out = outputs.of("--svg")) *out << svg_of(figure(points, plan));
  outputs.commit();
  if (!outputs.take_standard_output()) std::cout << text_of(overview(points, plan));
  return ok;
}

}  // namespace

void add_compare(CLI::App& program, Ending& ending) {
  auto compare = std::make_shared<CompareCommand>();
  CLI::App* command = program.add_subcommand(
      "compare", "Run samplers at given shares of labels, several times each, and show what they reach.");
  compare->source.add_to(*command);
  command
      ->add_option("--samplers", compare->samplers,
                   "presets with commas between them, e.g. sel-p,pa-log:C=0.1")
      ->check(a_name)
      ->capture_default_str();
  command->add_option("--rates", compare->rates, "shares of the labels, with commas between them")
      ->check(a_name)
      ->capture_default_str();
  command->add_option("--metric", compare->metric, "f1, or accuracy")
      ->check(CLI::IsMember({"f1", "accuracy"}))
      ->capture_default_str();
  command->add_option("--runs", compare->runs, "how often each is run, with other coins")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--seed", compare->seed, "seed of the first run; the others count on")
      ->transform(CLI::Validator(decimal, ""))
      ->capture_default_str();
  command->add_flag("--shuffle", compare->shuffle,
                    "every run sees the data in another order; without it runs differ in their coins alone");
  command->add_option("--csv", compare->csv, "write every point here as CSV; - is standard output")
      ->check(a_name);
  command->add_option("--json", compare->json_path, "write every point here as JSON")->check(a_name);
  command->add_option("--html", compare->html, "write a report here, one page with a figure")->check(a_name);
  command->add_option("--svg", compare->svg, "write the figure here")->check(a_name);
  command->add_flag("--quiet", compare->quiet, "no progress");
  command->callback([compare, &ending] { ending.code = (*compare)(); });
}

}  // namespace askfew::cli
