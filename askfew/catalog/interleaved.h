#pragma once

#include <memory>

#include "askfew/catalog/catalog.h"
#include "askfew/linalg/weight_column.h"

namespace askfew {

/// The same sampler as make_sampler's, with its weights among those of other tasks; nothing if its learner
/// cannot keep them there.
std::unique_ptr<AnySampler> make_interleaved(const SamplerConfig& config, const Setting& setting,
                                             Exactness exactness, WeightColumn weights);

}  // namespace askfew
