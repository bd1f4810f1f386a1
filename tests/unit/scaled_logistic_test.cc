#include "askfew/composed/scaled_logistic.h"

#include <gtest/gtest.h>
#include <random>

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

class ScaledLogisticOf : public testing::TestWithParam<FeatureView::Index> {};

TEST_P(ScaledLogisticOf, an_instance_as_seen_gives_the_same_numbers_as_the_instance) {
  std::mt19937_64 random(1);
  const Setting setting{.dimension = GetParam()};
  ScaledLogistic by_seen({}, setting);
  ScaledLogistic by_instance({}, setting);
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
    const Label y = random() % 2 == 0 ? Label::positive : Label::negative;
    by_seen.update(seen, y, margin);
    by_instance.update(x, y, margin);
  }
  EXPECT_NE(by_seen.offset(), 0);
}

// With a full covariance; with features that may be centred; with sparse features, of a known number or not.
INSTANTIATE_TEST_SUITE_P(dimensions, ScaledLogisticOf, testing::Values(40, 1000, 5000, 0));

}  // namespace
}  // namespace askfew
