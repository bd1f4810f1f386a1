#include <gtest/gtest.h>

#include "papers/monteleoni_2007/tuning.h"

namespace askfew {
namespace {

TEST(Monteleoni2007, a_fold_that_is_not_reached_counts_before_labels) {
  const std::vector<monteleoni_2007::Tried> tried{{1, 5}, {0, 9}, {0, 8}, {0, 8.5}};
  EXPECT_EQ(monteleoni_2007::best_of(tried), 2);
}

}  // namespace
}  // namespace askfew
