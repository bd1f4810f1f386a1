#pragma once

#include "askfew/reports/page.h"

#include "papers/monteleoni_2007/measuring.h"

namespace askfew::monteleoni_2007 {

/// The distance between a mean and the paper's mean.
struct Distance {
  double standard_errors = 0;  ///< of the difference of the two means
  double deviations = 0;       ///< of one fold, in the paper
};
Distance distance_of(const Cell& cell, const Labels& paper);

/// Compares a run with the paper's claims and numbers, for each problem by itself.
std::vector<Verdict> verdicts_of(std::span<const Problem> problems, std::span<const Row> rows);

}  // namespace askfew::monteleoni_2007
