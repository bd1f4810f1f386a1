#pragma once

#include "papers/experiment.h"

namespace askfew::defaults {

inline constexpr std::string_view title = "The default, with nothing chosen, beside every preset";

/// Data sets that are not there are left out.
ExperimentReport run(const ExperimentContext& context);

}  // namespace askfew::defaults
