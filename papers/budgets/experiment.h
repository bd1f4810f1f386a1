#pragma once

#include "papers/experiment.h"

namespace askfew::budgets {

inline constexpr std::string_view title = "Budgets: the untuned default compared with every preset";

/// Data sets that are missing are left out.
ExperimentReport run(const ExperimentContext& context);

}  // namespace askfew::budgets
