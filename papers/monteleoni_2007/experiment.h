#pragma once

#include "papers/experiment.h"

namespace askfew::monteleoni_2007 {

/// Runs six selective samplers on seven problems of digits. THROWS: as `Experiment::run`.
ExperimentReport run(const ExperimentContext& context);

}  // namespace askfew::monteleoni_2007
