#include "papers/monteleoni_2007/measuring.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace askfew::monteleoni_2007 {
namespace {

using nlohmann::json;

/// One run. For each fold: the number of labels that reach each error, the error after each number of labels,
/// and the number of labels asked.
json run_folds(const Problem& problem, const SamplerConfig& sampler, const Sizes& sizes, std::uint64_t seed,
               std::size_t run) {
  const std::vector<double> errors = errors_of(*problem.paper);
  const std::vector<std::uint64_t> counts = label_counts();
  json folds = json::array();
  for (std::size_t fold = 0; fold < sizes.folds; ++fold) {
    const HeldOutCurve curve = curve_of(problem, problem.rows, sampler, {seed, run, fold, sizes.folds},
                                        {.error = errors.front(), .labels = counts.back()});
    json reached = json::array();
    for (const double error : errors) {
      const auto labels = curve.labels_to_reach(error);
      reached.push_back(labels ? json(*labels) : json());
    }
    json after = json::array();
    for (const std::uint64_t count : counts) after.push_back(curve.error_after(count));
    folds.push_back({{"reached", reached}, {"errors", after}, {"labels", curve.asked}});
  }
  return folds;
}

/// The mean number of labels to reach the error; none unless all folds reach the error.
std::optional<double> mean_of(const std::vector<json>& folds, std::size_t error) {
  double sum = 0;
  for (const json& fold : folds) {
    const json& labels = fold["reached"][error];
    if (labels.is_null()) return std::nullopt;
    sum += labels.get<double>();
  }
  return sum / static_cast<double>(folds.size());
}

std::vector<double> mean_errors(const std::vector<json>& folds) {
  const std::vector<std::uint64_t> counts = label_counts();
  std::vector<double> means;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const auto asking = std::count_if(folds.begin(), folds.end(),
                                      [&](const json& fold) { return fold["labels"] >= counts[k]; });
    if (2 * static_cast<std::size_t>(asking) < folds.size()) break;
    double sum = 0;
    for (const json& fold : folds) sum += fold["errors"][k].get<double>();
    means.push_back(sum / static_cast<double>(folds.size()));
  }
  return means;
}

/// `folds`: those of all runs, `folds_in_run` of each.
Cell cell_of(const ProblemInPaper& problem, const SamplerConfig& sampler, const std::vector<json>& folds,
             std::size_t folds_in_run) {
  const std::vector<double> errors = errors_of(problem);
  const auto threshold =
      static_cast<std::size_t>(std::find(errors.begin(), errors.end(), problem.threshold) - errors.begin());
  Cell cell{.sampler = sampler};
  std::vector<std::vector<double>> runs(folds.size() / folds_in_run);
  for (std::size_t k = 0; k < folds.size(); ++k) {
    const json& labels = folds[k]["reached"][threshold];
    if (labels.is_null()) {
      ++cell.not_reached;
    } else {
      cell.labels.push_back(labels);
      runs[k / folds_in_run].push_back(labels);
    }
  }
  cell.sample = sample_of_runs(runs);
  for (std::size_t error = 0; error < errors.size(); ++error) cell.mean.push_back(mean_of(folds, error));
  cell.errors = mean_errors(folds);
  return cell;
}

}  // namespace

Sample sample_of_runs(std::span<const std::vector<double>> runs) {
  std::vector<double> labels;
  std::vector<double> means;
  for (const std::vector<double>& run : runs) {
    if (run.empty()) continue;
    labels.insert(labels.end(), run.begin(), run.end());
    means.push_back(sample_of(run).mean);
  }
  Sample sample = sample_of(labels);
  if (means.size() > 1) {
    sample.standard_error = std::max(sample.standard_error, sample_of(means).standard_error);
  }
  return sample;
}

std::vector<double> errors_of(const ProblemInPaper& problem) {
  if (!problem.in_figure_4) return {problem.threshold};
  std::vector<double> errors;
  constexpr int steps = 5;  // per threshold
  for (int k = steps - 2; k <= 2 * steps; ++k) {
    errors.push_back(k == steps ? problem.threshold : problem.threshold * k / steps);
  }
  return errors;
}

std::vector<std::uint64_t> label_counts() {
  constexpr std::uint64_t step = 5;
  constexpr std::uint64_t last = 400;
  std::vector<std::uint64_t> counts;
  for (std::uint64_t count = 0; count <= last; count += step) counts.push_back(count);
  return counts;
}

std::vector<Row> measure(std::span<const Problem> problems,
                         std::span<const std::array<SamplerConfig, algorithms>> tuned, const Sizes& sizes,
                         std::uint64_t seed, const JobsOptions& options) {
  std::vector<Job> jobs;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    for (const SamplerConfig& sampler : tuned[k]) {
      for (std::size_t run = 0; run < sizes.runs; ++run) {
        const Problem& problem = problems[k];
        jobs.push_back(
            {.key = fmt::format("run {} of {} {} + {}, {} folds of {} after {}, seed {}", run,
                                problem.paper->name, text_of(sampler.learner), text_of(sampler.rule),
                                sizes.folds, problem.rows.size(), problem.tuning.size(), seed),
             .work = [&problem, &sampler, &sizes, seed, run] {
               return run_folds(problem, sampler, sizes, seed, run);
             }});
      }
    }
  }
  const std::vector<json> results = run_jobs(jobs, options);
  auto result = results.begin();
  std::vector<Row> rows(problems.size());
  for (std::size_t k = 0; k < problems.size(); ++k) {
    for (std::size_t algorithm = 0; algorithm < algorithms; ++algorithm) {
      std::vector<json> folds;
      for (std::size_t run = 0; run < sizes.runs; ++run, ++result) {
        folds.insert(folds.end(), result->begin(), result->end());
      }
      rows[k][algorithm] = cell_of(*problems[k].paper, tuned[k][algorithm], folds, sizes.folds);
    }
  }
  return rows;
}

}  // namespace askfew::monteleoni_2007
