#include "askfew/trials/statistics.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace askfew {
namespace {

TEST(RankCorrelation, IsOneForValuesThatGrowTogether) {
  EXPECT_DOUBLE_EQ(rank_correlation(std::vector{1.0, 2.0, 5.0}, std::vector{0.1, 100.0, 1e9}), 1);
  EXPECT_DOUBLE_EQ(rank_correlation(std::vector{1.0, 2.0, 5.0}, std::vector{3.0, 2.0, -7.0}), -1);
}

TEST(RankCorrelation, EqualsACaseComputedByHand) {
  // Ranks 0 1 2 3 and 1 0 3 2: the products of the distances from the middle sum to 3, their squares to 5.
  EXPECT_DOUBLE_EQ(rank_correlation(std::vector{1.0, 2.0, 3.0, 4.0}, std::vector{2.0, 1.0, 9.0, 4.0}), 0.6);
}

TEST(RankCorrelation, GivesEqualValuesTheirMeanRank) {
  // Ranks 0.5 0.5 2 and 0 1 2: products sum to 1.5, squares to 1.5 and 2.
  EXPECT_NEAR(rank_correlation(std::vector{1.0, 1.0, 2.0}, std::vector{1.0, 2.0, 3.0}), 1.5 / std::sqrt(3.0),
              1e-15);
}

TEST(RankCorrelation, IsZeroIfAllValuesAreEqual) {
  EXPECT_EQ(rank_correlation(std::vector{1.0, 1.0}, std::vector{1.0, 2.0}), 0);
}

}  // namespace
}  // namespace askfew
