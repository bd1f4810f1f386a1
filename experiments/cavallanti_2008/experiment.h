#pragma once

#include "experiments/experiment.h"

namespace askfew::cavallanti_2008 {

ExperimentReport run(const ExperimentContext& context);

}  // namespace askfew::cavallanti_2008
