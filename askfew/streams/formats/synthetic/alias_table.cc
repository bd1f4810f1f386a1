#include "askfew/streams/formats/synthetic/alias_table.h"

#include <numeric>

namespace askfew {

AliasTable::AliasTable(std::span<const std::uint32_t> numbers, std::span<const double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> heights;  // in units of columns
  std::vector<std::size_t> low;
  std::vector<std::size_t> high;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    columns_.push_back({.own = numbers[k], .other = numbers[k]});
    heights.push_back(weights[k] / sum * static_cast<double>(numbers.size()));
    (heights[k] < 1 ? low : high).push_back(k);
  }
  // The numbers left at the end fill their own columns, up to rounding.
  while (!low.empty() && !high.empty()) {
    const std::size_t column = low.back();
    const std::size_t filler = high.back();
    low.pop_back();
    columns_[column].own_part = static_cast<std::uint32_t>(heights[column] * 0x1.0p32);
    columns_[column].other = numbers[filler];
    heights[filler] -= 1 - heights[column];
    if (heights[filler] >= 1) continue;
    high.pop_back();
    low.push_back(filler);
  }
}

}  // namespace askfew
