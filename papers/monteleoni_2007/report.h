#pragma once

#include "papers/monteleoni_2007/measuring.h"

namespace askfew::monteleoni_2007 {

/// Writes the page and its numbers.
ExperimentReport report_of(std::span<const Problem> problems, std::span<const Row> rows, const Sizes& sizes);

}  // namespace askfew::monteleoni_2007
