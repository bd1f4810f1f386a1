#pragma once

// Samplers of several tasks that share work.

#include <cstddef>
#include <memory>

#include "askfew/catalog/catalog.h"
#include "askfew/core/shared_margins.h"

namespace askfew {

/// What the samplers of so many tasks can share: their weights lie side by side, or they have one scaler.
/// Null if their learner shares nothing.
std::shared_ptr<SharedWork> make_shared_work(const SamplerConfig& config, const Setting& setting,
                                             std::size_t tasks);
/// The same sampler as from make_sampler, but with a slot in the shared work. REQUIRES: `shared` was made for
/// this configuration, and no other sampler has the slot.
std::unique_ptr<AnySampler> make_sharing(const SamplerConfig& config, const Setting& setting,
                                         Exactness exactness, const std::shared_ptr<SharedWork>& shared,
                                         std::size_t slot);

}  // namespace askfew
