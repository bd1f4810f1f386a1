#include "askfew/core/shuffled.h"

#include <numeric>
#include <utility>

#include "askfew/core/coin.h"

namespace askfew {

std::vector<std::uint32_t> in_order(std::size_t size) {
  std::vector<std::uint32_t> rows(size);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

std::vector<std::uint32_t> shuffled(std::size_t size, std::uint64_t seed, std::uint64_t k) {
  std::vector<std::uint32_t> rows = in_order(size);
  Coin coin({.seed = seed, .task = k}, CoinPurpose::shuffle);
  for (std::size_t left = size; left > 1; --left) {
    const auto other = static_cast<std::size_t>(coin(size - left + 1) * static_cast<double>(left));
    std::swap(rows[left - 1], rows[other]);
  }
  return rows;
}

}  // namespace askfew
