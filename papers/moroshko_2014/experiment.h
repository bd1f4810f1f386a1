#pragma once

#include "papers/experiment.h"

namespace askfew::moroshko_2014 {

/// Without the digits of USPS only the part on synthetic data.
ExperimentReport run(const ExperimentContext& context);

}  // namespace askfew::moroshko_2014
