#include "askfew/composed/scaled_logistic.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
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

/// The parameters of the default sampler; the same with a matrix of fewer features than instances have; those
/// of models that were saved when the drift stayed, when all features counted, before features were counted,
/// before there was `grow`, and before there were `norm` and `rare`.
const ScaledLogistic::Params of_default{.decay = 0.5, .full_prior = 30, .norm = 0.75, .rare = 0.3, .grow = 4};
const ScaledLogistic::Params without_matrix{
    .decay = 0.5, .full = 20, .full_prior = 30, .norm = 0.75, .rare = 0.3, .grow = 4};
const ScaledLogistic::Params with_steady_drift{.prior = 30, .norm = 0.75, .rare = 0.3, .grow = 3};
const ScaledLogistic::Params by_arrival{.prior = 30, .norm = 0.75, .rare = 0.3, .grow = 2};
const ScaledLogistic::Params by_last_feature{.prior = 30, .norm = 0.75, .rare = 0.3, .grow = 1};
const ScaledLogistic::Params of_known_dimension{.prior = 30, .norm = 0.75, .rare = 0.3};
const ScaledLogistic::Params of_earlier_versions{};

struct Case {
  std::string_view name;
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
INSTANTIATE_TEST_SUITE_P(
    dimensions, ScaledLogisticOf,
    testing::Values(Case{"of_default", 0, of_default}, Case{"without_matrix", 0, without_matrix},
                    Case{"with_steady_drift", 0, with_steady_drift}, Case{"by_arrival", 0, by_arrival},
                    Case{"by_last_feature", 0, by_last_feature}, Case{"known_40", 40, of_known_dimension},
                    Case{"known_1000", 1000, of_known_dimension},
                    Case{"known_5000", 5000, of_known_dimension}, Case{"unknown", 0, of_known_dimension},
                    Case{"of_earlier_versions_40", 40, of_earlier_versions},
                    Case{"of_earlier_versions_5000", 5000, of_earlier_versions}),
    [](const testing::TestParamInfo<Case>& tested) { return std::string(tested.param.name); });

/// Sees an instance, learns its label, and returns the margin before.
double learn(ScaledLogistic& learner, const FeatureView& x, Label y) {
  ScaledInstance seen;
  learner.see(x, seen);
  const double margin = learner.margin(seen);
  if (learner.suffers(y, margin)) learner.update(seen, y, margin);
  return margin;
}

TEST(ScaledLogistic, decides_alike_whether_the_dimension_is_known_or_not) {
  std::mt19937_64 random(3);
  ScaledLogistic unknown(of_default, {});
  ScaledLogistic known(of_default, {.dimension = 40});
  ScaledLogistic larger(of_default, {.dimension = 5000});
  for (std::size_t round = 0; round < 300; ++round) {
    const Instance instance(random, round);
    const Label y = random() % 2 == 0 ? Label::positive : Label::negative;
    const double margin = learn(unknown, instance.view(), y);
    ASSERT_EQ(learn(known, instance.view(), y), margin) << round;
    ASSERT_EQ(learn(larger, instance.view(), y), margin) << round;
  }
}

/// Another index for each feature, in another order.
FeatureView::Index hash_of(FeatureView::Index i) {
  return (i + 1) * 40503 % 262144;
}

Instance renamed(const Instance& instance, FeatureView::Index (*index_of)(FeatureView::Index)) {
  Instance other = instance;
  other.is_dense = false;
  std::vector<std::pair<FeatureView::Index, double>> features;
  for (std::size_t k = 0; k < instance.values.size(); ++k) {
    const auto i = instance.is_dense ? static_cast<FeatureView::Index>(k) : instance.indices[k];
    features.emplace_back(index_of(i), instance.values[k]);
  }
  std::sort(features.begin(), features.end());
  other.indices.clear();
  other.values.clear();
  for (const auto& [i, value] : features) {
    other.indices.push_back(i);
    other.values.push_back(value);
  }
  return other;
}

TEST(ScaledLogistic, features_of_large_numbers_are_decided_as_those_of_small_numbers) {
  for (const ScaledLogistic::Params& params : {of_default, without_matrix, by_arrival}) {
    std::mt19937_64 random(6);
    ScaledLogistic numbered(params, {});
    ScaledLogistic hashed(params, {});
    for (std::size_t round = 0; round < 300; ++round) {
      const Instance instance(random, round);
      const Instance other = renamed(instance, hash_of);
      const Label y = random() % 2 == 0 ? Label::positive : Label::negative;
      const double margin = learn(numbered, instance.view(), y);
      ASSERT_NEAR(learn(hashed, other.view(), y), margin, 1e-6 * (1 + std::abs(margin))) << round;
    }
  }
}

TEST(ScaledLogistic, the_shares_of_features_of_large_numbers_have_their_own_numbers) {
  std::mt19937_64 random(7);
  ScaledLogistic numbered(of_default, {});
  ScaledLogistic hashed(of_default, {});
  for (std::size_t round = 0; round < 100; ++round) {
    const Instance instance(random, round);
    const Instance other = renamed(instance, hash_of);
    const Label y = round % 3 == 0 ? Label::positive : Label::negative;
    learn(numbered, instance.view(), y);
    learn(hashed, other.view(), y);
    std::map<FeatureView::Index, double> shares;
    hashed.for_each_share(other.view(), [&](FeatureView::Index i, double share) { shares[i] = share; });
    numbered.for_each_share(instance.view(), [&](FeatureView::Index i, double share) {
      ASSERT_NEAR(shares.at(hash_of(i)), share, 1e-6 * (1 + std::abs(share))) << round;
    });
  }
}

TEST(ScaledLogistic, refuses_an_order_that_does_not_have_each_feature_once) {
  std::mt19937_64 random(8);
  ScaledLogistic learner(of_default, {});
  for (std::size_t round = 0; round < 20; ++round)
    learn(learner, Instance(random, round).view(), Label::positive);
  Snapshot snapshot;
  SnapshotWriter(snapshot, "")("learner", learner);
  for (const FeatureView::Index wrong : {0U, 39U, 40U, 4'000'000'000U}) {
    Snapshot other = snapshot;
    std::memcpy(other.tensors.at("learner.scaler.order").bytes.data(), &wrong, sizeof wrong);
    std::memcpy(other.tensors.at("learner.scaler.order").bytes.data() + sizeof wrong, &wrong, sizeof wrong);
    EXPECT_THROW(SnapshotReader(other, "")("learner", learner), ModelError) << wrong;
  }
}

TEST(ScaledLogistic, loads_a_model_of_more_features_than_have_places) {
  std::mt19937_64 random(9);
  ScaledLogistic saved(of_default, {});
  ScaledLogistic loaded(of_default, {});
  std::vector<FeatureView::Index> indices;
  for (FeatureView::Index i = 0; i < 2001; ++i) indices.push_back(3 * i);
  const std::vector<double> ones(indices.size(), 1.0);
  learn(saved, FeatureView::sparse(std::span(indices).first(2000), std::span(ones).first(2000)),
        Label::positive);
  learn(saved, FeatureView::sparse(std::span(indices).last(2), std::span(ones).last(2)), Label::negative);
  Snapshot snapshot;
  SnapshotWriter(snapshot, "")("learner", saved);
  SnapshotReader(snapshot, "")("learner", loaded);
  EXPECT_TRUE(snapshot.tensors.at("learner.scaler.order").bytes.empty());
  const Instance instance(random, 0);
  EXPECT_EQ(learn(loaded, instance.view(), Label::positive), learn(saved, instance.view(), Label::positive));
}

TEST(ScaledLogistic,
     decides_as_earlier_versions_that_knew_the_dimension_if_numbers_have_very_different_scales) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  ScaledLogistic growing(by_last_feature, {});
  ScaledLogistic known(of_known_dimension, {.dimension = 50});
  for (int round = 0; round < 300; ++round) {
    std::vector<double> values(50);
    double score = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = std::pow(10.0, static_cast<double>(i % 7) - 3) * (3 + normal(random));
      if (i % 7 == 3) score += values[i] - 3;
    }
    const Label y = score > 0 ? Label::positive : Label::negative;
    const double margin = learn(known, FeatureView::dense(values), y);
    ASSERT_NEAR(learn(growing, FeatureView::dense(values), y), margin, 1e-9 * (1 + std::abs(margin)))
        << round;
  }
}

/// Not with grow=4, where the diagonal form too has half of idf while there is a matrix.
TEST(ScaledLogistic, goes_on_as_if_there_had_been_no_matrix_when_there_are_too_many_features) {
  std::mt19937_64 random(5);
  ScaledLogistic::Params never = with_steady_drift;
  never.full = 0;
  ScaledLogistic dropping(with_steady_drift, {});
  ScaledLogistic diagonal(never, {});
  std::vector<FeatureView::Index> beyond;
  for (FeatureView::Index i = 40; i <= 300; ++i) beyond.push_back(i);
  const std::vector<double> ones(beyond.size(), 1.0);
  double difference = 0;
  for (std::size_t round = 0; round < 300; ++round) {
    Instance instance(random, round);
    for (double& value : instance.values) value = std::abs(value);  // the sign of a first value may be lost
    const FeatureView x = round == 199 || round == 200 ? FeatureView::sparse(beyond, ones) : instance.view();
    const Label y = random() % 2 == 0 ? Label::positive : Label::negative;
    const double margin = learn(diagonal, x, y);
    const double other = learn(dropping, x, y);
    if (round < 200) {
      difference += std::abs(other - margin);
    } else {
      ASSERT_NEAR(other, margin, 1e-9 * (1 + std::abs(margin))) << round;
    }
  }
  EXPECT_GT(difference, 10) << "the matrix decides nothing";
}

/// The mistakes in the last 300 of 600 rounds of a table of six numbers, two of which decide, that are alike.
/// With identifiers every instance has one more feature, of its own.
int mistakes_in_table(const ScaledLogistic::Params& params, bool has_identifiers) {
  std::mt19937_64 random(10);
  std::normal_distribution<double> normal;
  ScaledLogistic learner(params, {});
  int mistakes = 0;
  for (FeatureView::Index round = 0; round < 600; ++round) {
    std::vector<FeatureView::Index> indices{0, 1, 2, 3, 4, 5};
    std::vector<double> values(indices.size());
    for (double& value : values) value = 5 + normal(random);
    values[1] = values[0] + normal(random) / 4;
    const Label y = values[1] > values[0] ? Label::positive : Label::negative;
    if (has_identifiers) {
      indices.push_back(10 + round);
      values.push_back(1);
    }
    const double margin = learn(learner, FeatureView::sparse(indices, values), y);
    if (round >= 300 && (margin > 0) != (y == Label::positive)) ++mistakes;
  }
  return mistakes;
}

TEST(ScaledLogistic, a_column_of_identifiers_changes_little) {
  const int without = mistakes_in_table(of_default, false);
  EXPECT_LE(std::abs(mistakes_in_table(of_default, true) - without), 3);
  EXPECT_GT(mistakes_in_table(by_arrival, true), 2 * without) << "as in earlier versions";
}

TEST(ScaledLogistic, has_no_margin_of_the_matrix_while_most_features_are_new) {
  ScaledLogistic::Params never = of_default;
  never.full = 0;
  ScaledLogistic growing(of_default, {});
  ScaledLogistic diagonal(never, {});
  for (FeatureView::Index round = 0; round < 20; ++round) {
    const std::vector<FeatureView::Index> words{0, 10 + 2 * round, 11 + 2 * round};
    const std::vector<double> counts{1, 2, 3};
    const FeatureView x = FeatureView::sparse(words, counts);
    const Label y = round % 2 == 0 ? Label::positive : Label::negative;
    ASSERT_NEAR(learn(growing, x, y), learn(diagonal, x, y), 1e-9) << round;
  }
}

}  // namespace
}  // namespace askfew
