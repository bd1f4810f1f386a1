#include "askfew/composed/scaled_logistic.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "askfew/core/snapshot.h"

namespace askfew {
namespace {

/// An instance of up to 40 features, with zeros, and with some values that are clipped. Every fifth is dense.
struct Instance {
  std::vector<FeatureView::Index> indices;
  std::vector<double> values;
  bool is_dense = false;

  Instance(std::mt19937_64& random, std::size_t round) : is_dense(round % 5 == 4) {
    std::normal_distribution<double> normal;
    for (FeatureView::Index i = 0; i < 40; ++i) {
      if (!is_dense && random() % 3 == 0) continue;
      const double size = random() % 50 == 0 ? 1000 : 1;
      indices.push_back(i);
      values.push_back(random() % 10 == 0 ? 0 : size * normal(random));
    }
  }
  [[nodiscard]] FeatureView view() const {
    return is_dense ? FeatureView::dense(values) : FeatureView::sparse(indices, values);
  }
};

/// The parameters of the default sampler, and those of models that were saved before there were `norm` and
/// `rare`.
const ScaledLogistic::Params of_default{.prior = 30, .norm = 0.75, .rare = 0.3};
const ScaledLogistic::Params of_earlier_versions{};

struct Case {
  FeatureView::Index dimension;
  ScaledLogistic::Params params;
};

class ScaledLogisticOf : public testing::TestWithParam<Case> {};

TEST_P(ScaledLogisticOf, an_instance_as_seen_gives_the_same_numbers_as_the_instance) {
  std::mt19937_64 random(1);
  const Setting setting{.dimension = GetParam().dimension};
  ScaledLogistic by_seen(GetParam().params, setting);
  ScaledLogistic by_instance(GetParam().params, setting);
  ScaledInstance seen;
  ScaledInstance unused;
  for (std::size_t round = 0; round < 300; ++round) {
    const Instance instance(random, round);
    const FeatureView x = instance.view();
    by_seen.see(x, seen);
    by_instance.see(x, unused);
    const double margin = by_seen.margin(seen);
    ASSERT_EQ(margin, by_instance.margin(x)) << round;
    ASSERT_EQ(by_seen.spread(seen), by_instance.spread(x)) << round;
    ASSERT_LE(by_seen.spread(seen), by_seen.spread_bound(seen)) << round;
    ASSERT_EQ(by_seen.squared_norm(seen), by_instance.squared_norm(x)) << round;
    const Label y = random() % 2 == 0 ? Label::positive : Label::negative;
    by_seen.update(seen, y, margin);
    by_instance.update(x, y, margin);
  }
  EXPECT_NE(by_seen.offset(), 0);
}

TEST_P(ScaledLogisticOf, a_loaded_learner_goes_on_as_the_saved_one) {
  std::mt19937_64 random(2);
  const Setting setting{.dimension = GetParam().dimension};
  ScaledLogistic saved(GetParam().params, setting);
  ScaledLogistic loaded(GetParam().params, setting);
  ScaledInstance seen;
  ScaledInstance seen_by_loaded;
  for (std::size_t round = 0; round < 200; ++round) {
    const Instance instance(random, round);
    saved.see(instance.view(), seen);
    const Label y = random() % 2 == 0 ? Label::positive : Label::negative;
    if (round % 3 == 0) saved.update(seen, y, saved.margin(seen));
    if (round < 100) continue;
    if (round == 100) {
      Snapshot snapshot;
      SnapshotWriter(snapshot, "")("learner", saved);
      SnapshotReader(snapshot, "")("learner", loaded);
      ASSERT_TRUE(loaded.consistent());
      continue;
    }
    loaded.see(instance.view(), seen_by_loaded);
    if (round % 3 == 0) loaded.update(seen_by_loaded, y, loaded.margin(seen_by_loaded));
    ASSERT_EQ(loaded.margin(instance.view()), saved.margin(instance.view())) << round;
  }
}

// With a full covariance; with features that may be centred; with sparse features, of a known number or not.
INSTANTIATE_TEST_SUITE_P(dimensions, ScaledLogisticOf,
                         testing::Values(Case{40, of_default}, Case{1000, of_default}, Case{5000, of_default},
                                         Case{0, of_default}, Case{40, of_earlier_versions},
                                         Case{5000, of_earlier_versions}),
                         [](const testing::TestParamInfo<Case>& tested) {
                           return std::to_string(tested.param.dimension) +
                                  (tested.param.params.norm < 1 ? "_of_default" : "_of_earlier_versions");
                         });

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
