#pragma once

#include "papers/experiment.h"

namespace askfew::cbgz_2006 {

ExperimentReport run(const ExperimentContext& context);

}  // namespace askfew::cbgz_2006
