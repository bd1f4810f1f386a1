#include "askfew/config/params.h"

#include <gtest/gtest.h>
#include <limits>

#include "askfew/learners/perceptron.h"

namespace askfew {
namespace {

TEST(Range, an_open_end_excludes_its_value_and_a_closed_end_includes_it) {
  EXPECT_FALSE(positive().contains(0));
  EXPECT_TRUE(positive().contains(std::numeric_limits<double>::min()));
  EXPECT_FALSE(positive().contains(infinity));
  EXPECT_TRUE(at_least(2).contains(2));
  EXPECT_FALSE(at_least(2).contains(1.999));
  EXPECT_TRUE(between(0, 1).contains(0));
  EXPECT_TRUE(between(0, 1).contains(1));
  EXPECT_FALSE(between(0, 1).contains(1.0000001));
}

TEST(Range, a_range_of_integers_excludes_other_numbers) {
  EXPECT_TRUE(count_from(1).contains(7));
  EXPECT_FALSE(count_from(1).contains(7.5));
  EXPECT_FALSE(count_from(1).contains(0));
  EXPECT_FALSE(either().contains(2));
}

TEST(Range, no_range_contains_nan) {
  EXPECT_FALSE(Range{}.contains(std::numeric_limits<double>::quiet_NaN()));
}

TEST(Params, a_value_out_of_range_is_refused_with_name_value_and_range) {
  try {
    const Perceptron refused({.rate = -2}, {});
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "perceptron: rate = -2 is out of range, accepted: (0, inf)");
  }
}

}  // namespace
}  // namespace askfew
