#pragma once

#include "papers/experiment.h"

namespace askfew::cavallanti_2008 {

ExperimentReport run(const ExperimentContext& context);

}  // namespace askfew::cavallanti_2008
