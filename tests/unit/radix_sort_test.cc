#include "askfew/features/radix_sort.h"

#include <gtest/gtest.h>
#include <random>

#include "askfew/features/row_sorter.h"

namespace askfew {
namespace {

TEST(RadixSorter, sorts_as_std_sort_does) {
  std::mt19937_64 random(1);
  RadixSorter<std::uint32_t> sort;
  RadixSorter<std::uint64_t> sort_high;
  for (const std::size_t size : {0, 1, 2, 15, 16, 17, 100, 255, 256, 257, 5000}) {
    for (const unsigned bits : {0U, 1U, 5U, 6U, 7U, 12U, 18U, 27U, 31U, 32U}) {
      std::vector<std::uint32_t> keys(size);
      std::vector<std::uint64_t> high(size);
      for (std::size_t k = 0; k < size; ++k) {
        keys[k] = static_cast<std::uint32_t>(random() & ((std::uint64_t{1} << bits) - 1));
        high[k] = std::uint64_t{keys[k]} << 32 | k;
      }
      auto expected = keys;
      auto expected_high = high;
      std::sort(expected.begin(), expected.end());
      std::sort(expected_high.begin(), expected_high.end());
      sort(keys, 0, bits);
      sort_high(high, 32, 32 + bits);
      ASSERT_EQ(keys, expected) << size << " of " << bits << " bits";
      ASSERT_EQ(high, expected_high) << size << " of " << bits << " bits";
    }
  }
}

TEST(RowSorter, moves_values_with_their_indices) {
  RowSorter sort;
  for (const std::size_t size : {0, 1, 3, 40, 1000}) {
    std::vector<FeatureView::Index> indices;
    std::vector<double> values;
    for (std::size_t k = 0; k < size; ++k) {
      indices.push_back(static_cast<FeatureView::Index>(k * 7919 % 8009));
      values.push_back(0.5 * indices.back());
    }
    sort(indices, values);
    EXPECT_TRUE(std::is_sorted(indices.begin(), indices.end()));
    for (std::size_t k = 0; k < size; ++k) ASSERT_EQ(values[k], 0.5 * indices[k]);
  }
}

}  // namespace
}  // namespace askfew
