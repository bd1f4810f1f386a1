#pragma once

// Samplers of many tasks whose weights are stored side by side.

#include <memory>

#include "askfew/catalog/catalog.h"
#include "askfew/linalg/weight_column.h"

namespace askfew {

/// The same sampler as from make_sampler, but its weights are stored among the weights of other tasks; null
/// if its learner does not support this.
std::unique_ptr<AnySampler> make_interleaved(const SamplerConfig& config, const Setting& setting,
                                             Exactness exactness, WeightColumn weights);

}  // namespace askfew
