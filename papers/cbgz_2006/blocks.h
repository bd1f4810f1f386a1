#pragma once

#include <vector>

#include "papers/text_points.h"

namespace askfew::cbgz_2006 {

/// Results per block of stories, for a sampler that was tuned to a given F.
struct Blocks {
  double f1 = 0;  ///< over all stories, near the target
  double share = 0;
  std::vector<double> block_f1;
  std::vector<double> block_share;
};
Blocks blocks_of(const nlohmann::json& result);

/// Searches the scale of the preset's rule at which F over all stories is the target, then measures each
/// block.
Job blocks_job(const TextSet& set, const std::string& preset, double target, std::size_t blocks,
               std::uint64_t seed);

}  // namespace askfew::cbgz_2006
