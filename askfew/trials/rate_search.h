#pragma once

// Searches the scale of a rule that asks for a given share of the labels.

#include <functional>
#include <optional>

#include "askfew/catalog/catalog.h"

namespace askfew {

/// A sampler that asks for about the wanted share of labels.
struct AtRate {
  SamplerConfig sampler;
  double share = 0;  ///< the share that it asked
};

/// The share of labels that a sampler asks for.
using ShareOf = std::function<double(const SamplerConfig&)>;

/// Changes the scale of the sampler's rule until the share of labels is within a relative `tolerance` of
/// `rate`, or as near as possible: the share of a run jumps where one decision changes the later decisions.
/// The caller counts the samplers that were tried. THROWS: ConfigError for a rule without a scale.
AtRate find_rate(const SamplerConfig& sampler, double rate, const ShareOf& share_of, double tolerance = 0.02);

}  // namespace askfew
