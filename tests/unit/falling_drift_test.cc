#include "askfew/covariance/falling_drift.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace askfew {
namespace {

TEST(FallingDrift, it_falls_with_the_labels_while_surprises_have_changing_signs) {
  FallingDrift drift(30);
  for (int n = 1; n <= 400; ++n) {
    const double part = drift.part_after(n % 2 == 0 ? Label::positive : Label::negative, 0, 1);
    ASSERT_DOUBLE_EQ(part, std::min(1.0, 30.0 / n)) << n;
  }
}

TEST(FallingDrift, it_comes_back_where_surprises_of_the_same_sign_follow_each_other) {
  FallingDrift drift(30);
  for (int n = 1; n <= 300; ++n) drift.part_after(n % 2 == 0 ? Label::positive : Label::negative, 0, 1);
  double part = 0;
  for (int n = 1; n <= 300; ++n)
    part = drift.part_after(n / 10 % 2 == 0 ? Label::positive : Label::negative, 0, 1);
  EXPECT_EQ(part, 1);
}

/// The sums with the weights of all labels so far, instead of one update per label.
TEST(FallingDrift, it_agrees_with_the_sums_over_all_labels) {
  const double fall = 5;
  FallingDrift drift(fall);
  std::vector<double> surprises;
  for (int n = 1; n <= 250; ++n) {
    const Label y = n % 7 < 4 ? Label::positive : Label::negative;
    const double margin = std::sin(0.3 * n) * 3;
    const double variance = 1 + n % 5;
    const double pi = std::acos(-1);
    const double tempered = margin / std::sqrt(1 + pi * variance / 8);
    surprises.push_back((y == Label::positive ? 1 : 0) - 1 / (1 + std::exp(-tempered)));
    double products = 0;
    double squares = 0;
    double squared_products = 0;
    for (int k = 0; k < n; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const double worth = std::pow(0.995, n - 1 - k);
      const double product = k == 0 ? 0 : surprises[at] * surprises[at - 1];
      products += worth * product;
      squares += worth * surprises[at] * surprises[at];
      squared_products += worth * product * product;
    }
    const double moved = 10 * (products - std::sqrt(squared_products)) / squares;
    const double expected = std::max(std::min(1.0, fall / n), std::min(1.0, moved));
    ASSERT_NEAR(drift.part_after(y, margin, variance), expected, 1e-12) << n;
  }
}

TEST(FallingDrift, a_margin_beyond_all_doubt_is_no_surprise) {
  FallingDrift drift(2);
  for (int n = 1; n <= 10; ++n) {
    ASSERT_DOUBLE_EQ(drift.part_after(Label::positive, 1e300, 0), std::min(1.0, 2.0 / n));
  }
}

}  // namespace
}  // namespace askfew
