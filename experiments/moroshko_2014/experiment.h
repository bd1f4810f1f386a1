#pragma once

#include "experiments/experiment.h"

namespace askfew {

ExperimentReport reproduce_moroshko_2014(const ExperimentContext& context);

}  // namespace askfew
