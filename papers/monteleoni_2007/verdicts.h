#pragma once

#include "askfew/reports/page.h"

#include "papers/monteleoni_2007/measuring.h"

namespace askfew::monteleoni_2007 {

/// The distance between a mean and the paper's mean, in standard deviations of the paper.
double deviations_off(const Cell& cell, const Labels& paper);

/// Compares a run with the paper's claims and numbers.
std::vector<Verdict> verdicts_of(std::span<const Problem> problems, std::span<const Row> rows);

}  // namespace askfew::monteleoni_2007
