#pragma once

#include <optional>

#include "askfew/trials/statistics.h"

#include "papers/monteleoni_2007/problems.h"

namespace askfew::monteleoni_2007 {

/// The test errors for which labels are counted: the problem's threshold and, for Figure 4, errors around it,
/// in ascending order.
std::vector<double> errors_of(const ProblemInPaper& problem);
/// The numbers of labels after which the error is measured.
std::vector<std::uint64_t> label_counts();

/// One algorithm on one problem, over all folds of all runs.
struct Cell {
  SamplerConfig sampler;
  std::vector<double> labels;   ///< to reach the threshold, for the folds that reach it
  std::size_t not_reached = 0;  ///< number of folds that do not reach it
  Sample sample;                ///< of `labels`: sample_of_runs
  std::vector<std::optional<double>>
      mean;                    ///< labels to reach each of `errors_of`; none unless all folds reach it
  std::vector<double> errors;  ///< mean test error after each of `label_counts`; ends where fewer than half
                               ///< of the folds ask for so many labels
};
using Row = std::array<Cell, algorithms>;

/// The mean and the deviation over all folds. The folds of a run see nearly the same examples in the same
/// order: all folds but the first begin with the same tenth of the examples, and an active sampler asks most
/// of its labels there. So the standard error is the larger one of two: over all folds, and over the means of
/// the runs. `runs`: the labels of the folds of each run.
Sample sample_of_runs(std::span<const std::vector<double>> runs);

/// One row per problem. THROWS: as `run_jobs`.
std::vector<Row> measure(std::span<const Problem> problems,
                         std::span<const std::array<SamplerConfig, algorithms>> tuned, const Sizes& sizes,
                         std::uint64_t seed, const JobsOptions& options);

}  // namespace askfew::monteleoni_2007
