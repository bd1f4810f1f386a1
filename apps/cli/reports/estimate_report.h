#pragma once

#include <cstdint>
#include <string>

#include "askfew/workflows/summary.h"

namespace askfew::cli {

/// What is known of a task from asked labels alone, beside the truth, which only a labelled file tells:
/// figures with intervals, changes, what more labels would bring. REQUIRES: the task has an estimate.
std::string estimate_text(const TaskSummary& task);
/// The estimate of F, for a row of a table.
std::string estimated_f(const TaskSummary& task);

/// The rounds without an audit, in a line; nothing if there are none.
std::string uncovered_text(std::uint64_t uncovered);

/// What as many labels again would bring, in a line.
std::string advice_text(const EstimateSummary& estimate);

/// "more mistakes since round 10,000 (noticed in round 10,125)".
std::string text_of(const Change& change);

}  // namespace askfew::cli
