#pragma once

#include <vector>

#include "papers/text_points.h"

namespace askfew::cbgz_2006 {

/// A sampler that was tuned to a value of F: what it did in each block of stories.
struct Blocks {
  double f1 = 0;  ///< over all stories, near the target
  double share = 0;
  std::vector<double> block_f1;
  std::vector<double> block_share;
};
Blocks blocks_of(const nlohmann::json& result);

/// Turns the scale of the preset's rule until F over all stories is the target, then runs it block by block.
Job blocks_job(const TextSet& set, const std::string& preset, double target, std::size_t blocks,
               std::uint64_t seed);

}  // namespace askfew::cbgz_2006
