#pragma once

#include "askfew/reports/page.h"

#include "papers/monteleoni_2007/measuring.h"

namespace askfew::monteleoni_2007 {

/// How far a mean is from the paper's, in the paper's deviations.
double deviations_off(const Cell& cell, const Labels& paper);

/// What a run says of the paper's claims, and of its numbers.
std::vector<Verdict> verdicts_of(std::span<const Problem> problems, std::span<const Row> rows);

}  // namespace askfew::monteleoni_2007
