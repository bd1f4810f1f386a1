#include "papers/monteleoni_2007/report.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "papers/monteleoni_2007/texts.h"
#include "papers/monteleoni_2007/verdicts.h"

namespace askfew::monteleoni_2007 {
namespace {

using nlohmann::json;

std::string settings_text(const SamplerConfig& sampler) {
  return fmt::format("{} + {}", text_of(sampler.learner), text_of(sampler.rule));
}

/// Figure 3 of the paper, with our numbers above the paper's.
Table labels_table(std::span<const Problem> problems, std::span<const Row> rows, bool usps) {
  Table table{.caption = usps ? "Labels to reach the test error in parentheses: USPS"
                              : "Labels to reach the test error in parentheses: MNIST",
              .columns = {""}};
  for (const Problem& problem : problems) {
    if (problem.paper->usps != usps) continue;
    const std::string_view name = problem.paper->name.substr(problem.paper->name.find(' ') + 1);
    table.columns.push_back(fmt::format("{} ({})", name, problem.paper->threshold));
  }
  for (std::size_t algorithm = 0; algorithm < algorithms; ++algorithm) {
    std::vector<std::string> ours{std::string(names[algorithm].paper)};
    std::vector<std::string> theirs{"the paper"};
    std::vector<std::string> difference{"difference"};
    for (std::size_t k = 0; k < problems.size(); ++k) {
      if (problems[k].paper->usps != usps) continue;
      const Cell& cell = rows[k][algorithm];
      const Labels& paper = problems[k].paper->labels[algorithm];
      ours.push_back(
          fmt::format("{:.2f} ± {:.2f}{}", cell.sample.mean, cell.sample.deviation,
                      cell.not_reached == 0 ? "" : fmt::format(" (not reached: {})", cell.not_reached)));
      theirs.push_back(fmt::format("{:.2f} ± {:.2f}", paper.mean, paper.deviation));
      const Distance off = distance_of(cell, paper);
      difference.push_back(fmt::format("{:.1f} ({:.2f})", off.standard_errors, off.deviations));
    }
    table.rows.insert(table.rows.end(), {ours, theirs, difference});
  }
  return table;
}

Table settings_table(std::span<const Problem> problems, std::span<const Row> rows) {
  Table table{.caption = "Parameters that the tuning chose", .columns = {"problem"}};
  for (std::size_t algorithm = 0; algorithm < rand_dkm; ++algorithm)
    table.columns.emplace_back(names[algorithm].paper);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    table.rows.push_back({std::string(problems[k].paper->name)});
    for (std::size_t algorithm = 0; algorithm < rand_dkm; ++algorithm) {
      std::string params;
      for (const auto& [name, value] : rows[k][algorithm].sampler.rule.params) {
        if (name != "s") params = fmt::format("{} = {}", name, value);
      }
      table.rows.back().push_back(params);
    }
  }
  return table;
}

Figure efficiency(const Problem& problem, const Row& row) {
  Figure figure{.title = std::string(problem.paper->name),
                .x = {.title = "test error"},
                .y = {.title = "labels to reach it, mean", .logarithmic = true}};
  const std::vector<double> errors = errors_of(*problem.paper);
  for (std::size_t algorithm = 0; algorithm < algorithms; ++algorithm) {
    Series series{.title = std::string(names[algorithm].paper)};
    for (std::size_t k = 0; k < errors.size(); ++k) {
      const std::optional<double>& labels = row[algorithm].mean[k];
      if (!labels) continue;
      series.x.push_back(errors[k]);
      series.y.push_back(*labels);
    }
    figure.series.push_back(std::move(series));
  }
  return figure;
}

Figure learning(const Problem& problem, const Row& row) {
  Figure figure{.title = std::string(problem.paper->name),
                .x = {.title = "labels asked for"},
                .y = {.title = "test error, mean", .logarithmic = true}};
  const std::vector<std::uint64_t> counts = label_counts();
  for (std::size_t algorithm = 0; algorithm < algorithms; ++algorithm) {
    Series series{.title = std::string(names[algorithm].paper), .style = Series::Style::lines};
    series.y = row[algorithm].errors;
    series.x.assign(counts.begin(), counts.begin() + static_cast<std::ptrdiff_t>(series.y.size()));
    figure.series.push_back(std::move(series));
  }
  return figure;
}

json json_of(const Problem& problem, const Row& row) {
  json samplers = json::object();
  for (std::size_t algorithm = 0; algorithm < algorithms; ++algorithm) {
    const Cell& cell = row[algorithm];
    const Labels& paper = problem.paper->labels[algorithm];
    json mean = json::array();
    for (const auto& labels : cell.mean) mean.push_back(labels ? json(*labels) : json());
    samplers[std::string(names[algorithm].preset)] = {
        {"settings", settings_text(cell.sampler)},
        {"labels", {{"mean", cell.sample.mean}, {"deviation", cell.sample.deviation}}},
        {"not_reached", cell.not_reached},
        {"paper", {{"mean", paper.mean}, {"deviation", paper.deviation}}},
        {"labels_to_reach_errors", mean},
        {"error_after_labels", cell.errors}};
  }
  return {{"name", problem.paper->name},
          {"threshold", problem.paper->threshold},
          {"examples", problem.rows.size()},
          {"tuning_examples", problem.tuning.size()},
          {"errors", errors_of(*problem.paper)},
          {"label_counts", label_counts()},
          {"samplers", samplers}};
}

/// Calls f for the problems that a figure of the paper shows, in the order of the figure.
template <class F>
void for_each_shown(std::span<const Problem> problems, std::initializer_list<std::string_view> shown, F&& f) {
  for (const std::string_view name : shown) {
    for (std::size_t k = 0; k < problems.size(); ++k) {
      if (problems[k].paper->name == name) f(k);
    }
  }
}

}  // namespace

ExperimentReport report_of(std::span<const Problem> problems, std::span<const Row> rows, const Sizes& sizes) {
  Page page("Monteleoni and Kääriäinen 2007: Practical Online Active Learning for Classification");
  page.paragraph(claim);
  for (const Verdict& verdict : verdicts_of(problems, rows)) page.verdict(verdict);

  page.heading("Labels to reach the test error (the paper's Figure 3)");
  page.paragraph(fmt::format(how_measured, sizes.runs, sizes.folds));
  page.table(labels_table(problems, rows, false));
  page.table(labels_table(problems, rows, true));

  page.heading("Statistical efficiency (the paper's Figure 4)");
  for_each_shown(problems, {"MNIST 0v1", "MNIST 4v7", "MNIST 0vAll", "USPS 0vAll"},
                 [&](std::size_t k) { page.figure(efficiency(problems[k], rows[k]), under_efficiency); });
  page.heading("Learning curves (the paper's Figure 5)");
  for_each_shown(problems, {"MNIST 0v1", "MNIST 147vAll", "MNIST 0vAll", "USPS 0vAll"},
                 [&](std::size_t k) { page.figure(learning(problems[k], rows[k]), under_learning); });

  page.heading("Tuning");
  page.paragraph(fmt::format(how_tuned, sizes.tuning_examples, sizes.folds));
  page.table(settings_table(problems, rows));

  json figures{{"runs", sizes.runs}, {"folds", sizes.folds}, {"problems", json::array()}};
  for (std::size_t k = 0; k < problems.size(); ++k)
    figures["problems"].push_back(json_of(problems[k], rows[k]));
  for (const Verdict& verdict : page.verdicts()) figures["verdicts"].push_back(askfew::json_of(verdict));
  return {.page = std::move(page), .figures = std::move(figures)};
}

}  // namespace askfew::monteleoni_2007
