#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace askfew {

/// Rows 0, 1, ..., size-1.
std::vector<std::uint32_t> in_order(std::size_t size);
/// The same in a random order that depends on the seed and k: the k-th shuffle of an experiment.
std::vector<std::uint32_t> shuffled(std::size_t size, std::uint64_t seed, std::uint64_t k);

}  // namespace askfew
