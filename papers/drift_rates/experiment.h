#pragma once

#include "papers/experiment.h"

namespace askfew::drift_rates {

inline constexpr std::string_view title =
    "Beyond Moroshko and Crammer 2014: a bank of LASECs, no drift rate given";

/// Without the data sets only the part on synthetic data.
ExperimentReport run(const ExperimentContext& context);

}  // namespace askfew::drift_rates
