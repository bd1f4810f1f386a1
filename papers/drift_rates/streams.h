#pragma once

#include "papers/moroshko_2014/source.h"

namespace askfew::drift_rates {

/// The streams from data sets in the order of time. Repetitions differ in their coins alone.
/// THROWS: FileError for data that is missing.
std::vector<moroshko_2014::Source> streams_in_time(const ExperimentContext& context);

}  // namespace askfew::drift_rates
