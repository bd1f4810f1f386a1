#include "askfew/features/feature_sums.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

#include "tests/unit/instruction_sets.h"

namespace askfew {
namespace {

/// Adds random features with indices of so many bits, and compares with the sums of a map.
void expect_sums(std::size_t count, unsigned bits, unsigned used_bits, std::mt19937_64& random) {
  SCOPED_TRACE(testing::Message() << count << " features, " << used_bits << " of " << bits << " bits");
  Examples block;
  FeatureSums sums(bits);
  std::map<FeatureView::Index, double> expected;
  block.begin(1);
  for (std::size_t k = 0; k < count; ++k) {
    const auto index = static_cast<FeatureView::Index>(random() & ((1U << used_bits) - 1));
    const double value = std::uniform_real_distribution<double>(-1, 1)(random);
    sums.add(index, value);
    expected.try_emplace(index, 0).first->second += value;
  }
  sums.finish(block);
  const FeatureView x = block.x(0);
  ASSERT_EQ(x.size(), expected.size());
  std::size_t k = 0;
  for (const auto& [index, value] : expected) {
    ASSERT_EQ(x.indices()[k], index);
    ASSERT_EQ(x.values()[k++], value);  // to the bit: values are added in the order in which they came
  }
  ASSERT_EQ(x.squared_norm(), FeatureView::sum_of_squares({x.values(), x.size()}));
}

TEST(FeatureSums, features_are_sorted_and_values_of_the_same_index_are_added) {
  std::mt19937_64 random(1);
  with_every_instruction_set([&](std::int64_t) {
    for (const std::size_t count : {0U, 1U, 2U, 7U, 8U, 9U, 15U, 16U, 17U, 75U, 254U, 255U, 256U, 3000U}) {
      for (const unsigned bits : {1U, 7U, 8U, 18U, 27U}) {
        expect_sums(count, bits, bits, random);
        expect_sums(count, bits, bits - bits / 3, random);  // most are in the same bucket
      }
    }
  });
}

TEST(FeatureSums, sums_of_zero_are_removed_and_a_constant_stays_first) {
  FeatureSums sums(4);
  Examples block;
  block.set_bias(3);
  block.begin(1);
  sums.add(5, 1);
  sums.add(2, 4);
  sums.add(5, -1);
  sums.finish(block);
  ASSERT_EQ(block.x(0).size(), 2);
  EXPECT_EQ(block.x(0).indices()[0], 0);
  EXPECT_EQ(block.x(0).indices()[1], 3);
  EXPECT_EQ(block.x(0).squared_norm(), 25);
  EXPECT_EQ(sums.size(), 0);
}

}  // namespace
}  // namespace askfew
