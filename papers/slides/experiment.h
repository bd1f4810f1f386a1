#pragma once

#include "papers/experiment.h"

namespace askfew::slides {

/// Synthetic streams alone: it needs no data.
ExperimentReport run(const ExperimentContext& context);

}  // namespace askfew::slides
