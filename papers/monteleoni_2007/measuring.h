#pragma once

#include <optional>

#include "askfew/trials/statistics.h"

#include "papers/monteleoni_2007/problems.h"

namespace askfew::monteleoni_2007 {

/// Test errors at which the labels are counted: the problem's threshold, and for Figure 4 those around it.
/// They ascend.
std::vector<double> errors_of(const ProblemInPaper& problem);
/// Numbers of labels after which the error is measured.
std::vector<std::uint64_t> label_counts();

/// One algorithm on one problem, over all folds of all runs.
struct Cell {
  SamplerConfig sampler;
  std::vector<double> labels;               ///< to reach the threshold, of the folds that do
  std::size_t not_reached = 0;              ///< folds that do not
  Sample sample;                            ///< of `labels`
  std::vector<std::optional<double>> mean;  ///< labels to reach each of `errors_of`; none unless all folds do
  std::vector<double> errors;  ///< the mean test error after each of `label_counts`, as far as half of the
                               ///< folds ask for so many
};
using Row = std::array<Cell, algorithms>;

/// Problem by problem. THROWS: as `run_jobs`.
std::vector<Row> measure(std::span<const Problem> problems,
                         std::span<const std::array<SamplerConfig, algorithms>> tuned, const Sizes& sizes,
                         std::uint64_t seed, const JobsOptions& options);

}  // namespace askfew::monteleoni_2007
