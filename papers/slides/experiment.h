#pragma once

#include "papers/experiment.h"

namespace askfew::slides {

/// Uses synthetic streams only, and needs no data.
ExperimentReport run(const ExperimentContext& context);

}  // namespace askfew::slides
