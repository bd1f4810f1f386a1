#include <gtest/gtest.h>

#include "papers/monteleoni_2007/tuning.h"

namespace askfew {
namespace {

TEST(Monteleoni2007, a_setting_that_reaches_the_error_on_more_folds_wins_over_one_with_fewer_labels) {
  const std::vector<monteleoni_2007::Tried> tried{{1, 5}, {0, 9}, {0, 8}, {0, 8.5}};
  EXPECT_EQ(monteleoni_2007::best_of(tried), 2);
}

}  // namespace
}  // namespace askfew
