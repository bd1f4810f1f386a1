#include "askfew/composed/online_scaler.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace askfew {
namespace {

TEST(OnlineScaler, zeros_at_the_end_of_an_instance_are_no_features) {
  OnlineScaler scaler({.grows = true});
  ScaledInstance z;
  scaler.see(FeatureView::dense(std::vector<double>{1, 0, 2, 0, 0}), 0.5, z);
  EXPECT_EQ(scaler.features(), 3);
  scaler.see(FeatureView::sparse(std::vector<FeatureView::Index>{1, 8}, std::vector<double>{1, 0}), 0.5, z);
  EXPECT_EQ(scaler.features(), 3);
}

TEST(OnlineScaler, a_column_with_one_value_besides_0_is_not_centred) {
  OnlineScaler scaler({.grows = true});
  ScaledInstance z;
  const std::vector<FeatureView::Index> both{0, 1};
  const std::vector<FeatureView::Index> number{1};
  for (int round = 0; round < 9; ++round) {
    const double value = 5 + round % 2;
    scaler.see(FeatureView::sparse(both, std::vector<double>{1, value}), 0, z);
  }
  scaler.see(FeatureView::sparse(number, std::vector<double>{6}), 0, z);
  ASSERT_EQ(z.size, 2) << "the constant and the number";
  scaler.see(FeatureView::sparse(both, std::vector<double>{1, 4}), 0, z);
  ASSERT_EQ(z.size, 3);
  EXPECT_GT(z.values[1], 0);
  EXPECT_LT(z.values[2], 0) << "less than the mean of the number";
}

TEST(OnlineScaler, numbers_keep_the_proportions_of_their_deviations_if_these_are_alike) {
  const auto proportion = [](double scale) {
    OnlineScaler scaler({.grows = true});
    ScaledInstance z;
    for (int round = 0; round < 64; ++round) {
      const double one = round % 2 == 0 ? 1 : -1;
      const double other = round % 4 < 2 ? 1 : -1;
      scaler.see(FeatureView::dense(std::vector<double>{10 + one, 7 + scale * other}), 0, z);
    }
    scaler.scale(FeatureView::dense(std::vector<double>{11, 7 + scale}), 0, z);
    return z.values[2] / z.values[1];
  };
  EXPECT_NEAR(proportion(2), 2, 1e-9);
  EXPECT_NEAR(proportion(0.5), 0.5, 1e-9);
  EXPECT_NEAR(proportion(1000), 1, 1e-9) << "each is divided by its own deviation";
}

TEST(OnlineScaler, centres_until_there_are_too_many_features) {
  OnlineScaler scaler({.grows = true});
  ScaledInstance z;
  const auto scaled_first = [&](double value, FeatureView::Index last) {
    const std::vector<FeatureView::Index> indices{0, last};
    scaler.see(FeatureView::sparse(indices, std::vector<double>{value, 1}), 0, z);
    return z.values[1];
  };
  for (int round = 0; round < 10; ++round) scaled_first(round % 2 == 0 ? 7 : 9, 1999);
  EXPECT_LT(scaled_first(7, 1999), 0);
  EXPECT_GT(scaled_first(7, 2000), 0);
}

TEST(OnlineScaler, an_instance_has_norm_1_and_the_constant_if_the_norm_is_1) {
  OnlineScaler scaler({.dimension = 0});
  ScaledInstance z;
  const std::vector<FeatureView::Index> indices{1, 4, 7};
  for (const double length : {1.0, 9.0, 3.0}) {
    scaler.see(FeatureView::sparse(indices, std::vector{length, length, -length}), 0.5, z);
    z.apply_factor();
    EXPECT_DOUBLE_EQ(FeatureView::sum_of_squares({z.values.data(), z.size}), 1.25);
    EXPECT_DOUBLE_EQ(z.squared_norm, 1.25);
  }
}

TEST(OnlineScaler, a_longer_instance_stays_longer_if_the_norm_is_less_than_1) {
  const auto length_of = [](double norm, std::size_t features) {
    OnlineScaler scaler({.dimension = 0, .norm = norm});
    ScaledInstance z;
    std::vector<FeatureView::Index> indices(64);
    for (FeatureView::Index i = 0; i < 64; ++i) indices[i] = i;
    const std::vector<double> ones(64, 1.0);
    for (int round = 0; round < 100; ++round) scaler.see(FeatureView::sparse(indices, ones), 0, z);
    scaler.scale(FeatureView::sparse(std::span(indices).first(features), std::span(ones).first(features)), 0,
                 z);
    return std::sqrt(z.squared_norm);
  };
  EXPECT_NEAR(length_of(0.75, 64), 1, 1e-9) << "an instance as long as the others";
  EXPECT_NEAR(length_of(0.75, 4), std::pow(0.25, 0.25), 1e-9) << "a quarter of their length";
  EXPECT_NEAR(length_of(0.5, 4), 0.5, 1e-9);
  EXPECT_NEAR(length_of(0.6, 4), std::pow(0.25, 0.4), 1e-9) << "by powers, not by roots";
}

TEST(OnlineScaler, a_feature_that_is_new_counts_less_if_it_is_rare) {
  const auto share_of_new = [](double rare) {
    OnlineScaler scaler({.dimension = 0, .rare = rare});
    ScaledInstance z;
    const std::vector<FeatureView::Index> indices{0, 1};
    const std::vector<double> ones(2, 1.0);
    for (int round = 0; round < 9; ++round) {
      scaler.see(FeatureView::sparse(std::span(indices).first(1), std::span(ones).first(1)), 0, z);
    }
    scaler.see(FeatureView::sparse(indices, ones), 0, z);
    return z.values[2] / z.values[1];
  };
  EXPECT_NEAR(share_of_new(3) / share_of_new(0), (1.0 / 4) / (10.0 / 13), 1e-12);
}

}  // namespace
}  // namespace askfew
