#pragma once

#include "papers/moroshko_2014/source.h"

namespace askfew::drift_rates {

/// The streams of data sets as they come, in the order of time: repetitions differ in their coins alone.
/// THROWS: FileError for data that is not there.
std::vector<moroshko_2014::Source> streams_in_time(const ExperimentContext& context);

}  // namespace askfew::drift_rates
