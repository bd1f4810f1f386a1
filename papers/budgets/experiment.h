#pragma once

#include "papers/experiment.h"

namespace askfew::budgets {

inline constexpr std::string_view title = "Budgets: the default, with nothing tuned, beside every preset";

/// Data sets that are not there are left out.
ExperimentReport run(const ExperimentContext& context);

}  // namespace askfew::budgets
