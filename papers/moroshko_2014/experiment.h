#pragma once

#include "papers/experiment.h"

namespace askfew::moroshko_2014 {

/// If the digits of USPS are missing, only the synthetic stream is run.
ExperimentReport run(const ExperimentContext& context);

}  // namespace askfew::moroshko_2014
