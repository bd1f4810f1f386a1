#include <cmath>
#include <gtest/gtest.h>

#include "papers/monteleoni_2007/measuring.h"
#include "papers/monteleoni_2007/tuning.h"

namespace askfew {
namespace {

TEST(Monteleoni2007, a_setting_that_reaches_the_error_on_more_folds_wins_over_one_with_fewer_labels) {
  const std::vector<monteleoni_2007::Tried> tried{{1, 5}, {0, 9}, {0, 8}, {0, 8.5}};
  EXPECT_EQ(monteleoni_2007::best_of(tried), 2);
}

// Ten folds that say the same are no better than one.
TEST(Monteleoni2007, the_standard_error_is_at_least_that_of_the_means_of_the_runs) {
  const std::vector<std::vector<double>> runs{{40, 40, 40}, {60, 60, 60}, {}};
  const Sample sample = monteleoni_2007::sample_of_runs(runs);
  EXPECT_DOUBLE_EQ(sample.mean, 50);
  EXPECT_NEAR(sample.deviation, std::sqrt(600.0 / 5), 1e-12);  // of six folds
  EXPECT_NEAR(sample.standard_error, 10, 1e-12);               // of two runs
  const std::vector<std::vector<double>> single{{40, 60}};
  EXPECT_NEAR(monteleoni_2007::sample_of_runs(single).standard_error, 10, 1e-12);
}

}  // namespace
}  // namespace askfew
