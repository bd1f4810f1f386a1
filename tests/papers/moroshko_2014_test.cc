#include <gtest/gtest.h>
#include <vector>

#include "papers/moroshko_2014/tuning.h"

namespace askfew {
namespace {

TEST(Moroshko2014, settings_are_a_tie_if_they_differ_less_than_the_repetitions_of_their_difference) {
  const std::vector<double> best{0.90, 0.70, 0.80, 0.60};
  // Always a little worse: the repetitions differ, the difference does not.
  const std::vector<double> worse{0.89, 0.69, 0.79, 0.59};
  EXPECT_FALSE(moroshko_2014::is_tie(best, worse));
  const std::vector<double> sometimes_better{0.92, 0.66, 0.81, 0.59};
  EXPECT_TRUE(moroshko_2014::is_tie(best, sometimes_better));
  EXPECT_TRUE(moroshko_2014::is_tie(best, best));
}

}  // namespace
}  // namespace askfew
