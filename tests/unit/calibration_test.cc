#include "askfew/estimates/calibration.h"

#include <cmath>
#include <gtest/gtest.h>

#include "askfew/core/coin.h"
#include "askfew/core/errors.h"

namespace askfew {
namespace {

/// Margins between -3 and 3; the probability of a positive label is that of the curve.
Calibration drawn_from(const PlattCurve& curve, std::uint64_t labels) {
  Calibration calibration;
  Coin coin({.seed = 11});
  for (std::uint64_t t = 1; t <= labels; ++t) {
    const double margin = 6 * coin(2 * t) - 3;
    calibration.add(margin, coin(2 * t + 1) < curve.at(margin) ? Label::positive : Label::negative, 1);
  }
  return calibration;
}

TEST(Calibration, finds_the_curve_that_labels_were_drawn_from) {
  const PlattCurve truth{.slope = 1.5, .offset = -0.5};
  const auto found = drawn_from(truth, 300).curve();
  ASSERT_TRUE(found);
  for (const double margin : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
    EXPECT_NEAR(found->at(margin), truth.at(margin), 0.1);
  }
}

TEST(Calibration, the_mean_probability_of_the_kept_labels_is_near_their_share_of_positives) {
  Calibration calibration;
  double sum = 0;
  for (int k = 0; k < 200; ++k) {
    calibration.add(k % 10, k % 4 == 0 ? Label::positive : Label::negative, 1);
  }
  const auto found = calibration.curve();
  ASSERT_TRUE(found);
  for (int k = 0; k < 200; ++k) sum += found->at(k % 10);
  EXPECT_NEAR(sum / 200, 0.25, 0.01);
}

TEST(Calibration, a_label_that_was_asked_with_probability_one_fifth_counts_five_times) {
  Calibration once;
  Calibration five_times;
  for (int k = 0; k < 40; ++k) {
    const double margin = k % 8 - 3.5;
    const Label y = k % 3 == 0 ? Label::positive : Label::negative;
    once.add(margin, y, 0.2);
    for (int copy = 0; copy < 5; ++copy) five_times.add(margin, y, 1);
  }
  // Equal weights say as much as as many labels; only Platt's targets know how many there are.
  EXPECT_NEAR(once.curve()->at(0), five_times.curve()->at(0), 0.02);
  Calibration mixed;
  for (int k = 0; k < 60; ++k) {
    mixed.add(0, Label::positive, 0.2);
    mixed.add(0, Label::negative, 1);
  }
  EXPECT_NEAR(mixed.curve()->at(0), 5.0 / 6, 0.02);
}

TEST(Calibration, labels_that_are_separated_give_no_certainty) {
  Calibration calibration;
  for (int k = 0; k < 20; ++k) calibration.add(k - 9.5, k >= 10 ? Label::positive : Label::negative, 1);
  const auto found = calibration.curve();
  ASSERT_TRUE(found);
  EXPECT_GT(found->at(9.5), 0.8);
  EXPECT_LT(found->at(9.5), 0.999);
}

TEST(Calibration, too_few_labels_give_no_curve) {
  Calibration calibration;
  for (int k = 0; k < 19; ++k) calibration.add(k, k % 2 == 0 ? Label::positive : Label::negative, 1);
  EXPECT_FALSE(calibration.curve());
  calibration.add(1, Label::positive, 1);
  EXPECT_TRUE(calibration.curve());
  Calibration one_sided;
  for (int k = 0; k < 100; ++k) one_sided.add(k, k < 4 ? Label::positive : Label::negative, 1);
  EXPECT_FALSE(one_sided.curve());
  Calibration one_heavy;
  for (int k = 0; k < 100; ++k)
    one_heavy.add(k, k % 2 == 0 ? Label::positive : Label::negative, k == 0 ? 1e-6 : 1);
  EXPECT_FALSE(one_heavy.curve());
}

TEST(Calibration, equal_margins_give_the_share_of_positives) {
  Calibration calibration;
  for (int k = 0; k < 100; ++k) calibration.add(2, k % 5 == 0 ? Label::positive : Label::negative, 1);
  EXPECT_NEAR(calibration.curve()->at(2), 0.2, 0.02);
}

TEST(Calibration, keeps_the_last_labels_and_is_the_same_after_saving) {
  Calibration calibration;
  for (std::size_t k = 0; k < Calibration::max_kept + 50; ++k) {
    calibration.add(static_cast<double>(k), k % 2 == 0 ? Label::positive : Label::negative, 0.5);
  }
  EXPECT_EQ(calibration.labels(), Calibration::max_kept);
  const std::vector<double> values = calibration.values();
  EXPECT_EQ(values[0], 50);
  EXPECT_EQ(values[1], 2);
  EXPECT_EQ(values[3], -2);
  Calibration again;
  again.set_values(values);
  EXPECT_EQ(again.values(), values);
  again.add(7, Label::positive, 1);
  calibration.add(7, Label::positive, 1);
  EXPECT_EQ(again.values(), calibration.values());
}

TEST(Calibration, values_that_nobody_can_have_saved_are_refused) {
  Calibration calibration;
  EXPECT_THROW(calibration.set_values({1}), ModelError);
  EXPECT_THROW(calibration.set_values({1, 0}), ModelError);
  EXPECT_THROW(calibration.set_values(std::vector<double>(2 * Calibration::max_kept + 2, 1)), ModelError);
}

TEST(Calibration, labels_without_a_probability_and_infinite_margins_are_left_out) {
  Calibration calibration;
  calibration.add(1, Label::positive, 0);
  calibration.add(INFINITY, Label::positive, 1);
  EXPECT_EQ(calibration.labels(), 0);
}

}  // namespace
}  // namespace askfew
