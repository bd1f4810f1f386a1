#pragma once

#include <functional>
#include <optional>

#include "askfew/catalog/catalog.h"

namespace askfew {

/// A sampler that asks for about the share of labels that was wanted.
struct AtRate {
  SamplerConfig sampler;
  double share = 0;  ///< that it asked for
};

/// The share of labels that a sampler asks for.
using ShareOf = std::function<double(const SamplerConfig&)>;

/// Turns the scale of the sampler's rule until the share of labels is within a part `tolerance` of `rate`, or
/// as near as it goes: the share of a run jumps where one decision changes those after it. Samplers that were
/// tried are the caller's to count. THROWS: ConfigError for a rule without a scale.
AtRate find_rate(const SamplerConfig& sampler, double rate, const ShareOf& share_of, double tolerance = 0.02);

}  // namespace askfew
