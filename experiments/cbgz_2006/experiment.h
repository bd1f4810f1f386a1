#pragma once

#include "experiments/experiment.h"

namespace askfew::cbgz_2006 {

ExperimentReport run(const ExperimentContext& context);

}  // namespace askfew::cbgz_2006
