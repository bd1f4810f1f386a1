#pragma once

#include <string>
#include <vector>

#include "askfew/core/coin.h"

namespace askfew::fuzz {

/// The n-th input: first the seeds unchanged, then mutations of them. The same seeds, seed and n give the
/// same input, so that one input can be replayed without those before it.
std::string mutated(const std::vector<std::string>& seeds, std::uint64_t seed, std::uint64_t n);

}  // namespace askfew::fuzz
