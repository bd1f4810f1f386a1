#pragma once

#include "papers/experiment.h"

namespace askfew::drift_rates {

inline constexpr std::string_view title =
    "Beyond Moroshko and Crammer 2014: a bank of LASECs that needs no drift rate";

/// If the data sets are missing, only the synthetic stream is run.
ExperimentReport run(const ExperimentContext& context);

}  // namespace askfew::drift_rates
