#include "askfew/linalg/interleaved_weights.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "askfew/linalg/scaled_weights.h"
#include "askfew/linalg/sparse.h"
#include "askfew/linalg/weight_column.h"

#include "tests/streams.h"
#include "tests/unit/instruction_sets.h"

namespace askfew {
namespace {

/// Tasks with separate weights and the same tasks with interleaved weights.
struct Twins {
  explicit Twins(std::size_t tasks) : all(std::make_shared<InterleavedWeights>(tasks)), own(tasks) {
    for (std::size_t k = 0; k < tasks; ++k) columns.emplace_back(all, k);
  }

  void add(std::size_t task, double a, const FeatureView& x) {
    add_scaled(own[task], a, x);
    add_scaled(columns[task], a, x);
  }
  void expect_equal_dots(const FeatureView& x) const {
    for (std::size_t k = 0; k < own.size(); ++k)
      ASSERT_EQ(dot(columns[k], x), dot(own[k], x)) << "task " << k;
  }

  std::shared_ptr<InterleavedWeights> all;
  std::vector<WeightColumn> columns;
  std::vector<std::vector<double>> own;
};

struct Instance {
  std::vector<FeatureView::Index> indices;
  std::vector<double> values;
  bool dense = false;

  [[nodiscard]] FeatureView x() const {
    return dense ? FeatureView::dense(values) : FeatureView::sparse(indices, values);
  }
};

/// A sparse or dense instance of any size, with features that no task has seen; half of the values of a dense
/// instance are 0.
Instance random_instance(std::mt19937_64& random, std::size_t most) {
  std::uniform_int_distribution<std::size_t> size(0, most);
  std::normal_distribution<double> normal;
  Instance instance;
  instance.dense = random() % 2 == 0;
  FeatureView::Index next = 0;
  for (std::size_t left = size(random); left > 0; --left) {
    next += static_cast<FeatureView::Index>(1 + random() % 5);
    instance.indices.push_back(next);
    instance.values.push_back(instance.dense && random() % 2 == 0 ? 0 : normal(random));
  }
  if (instance.dense && random() % 2 == 0) {  // a run of zeros
    std::fill_n(instance.values.begin(), instance.values.size() / 2, 0.0);
  }
  return instance;
}

void run_at_random(std::uint64_t seed, std::size_t tasks) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Twins twins(tasks);
  for (int round = 0; round < 60; ++round) {
    const Instance instance = random_instance(random, 4 + static_cast<std::size_t>(round));
    if (random() % 4 != 0)
      twins.all->prepare(instance.x(), {});  // otherwise the products are computed task by task
    twins.expect_equal_dots(instance.x());
    for (std::size_t k = 0; k < tasks; ++k) {
      if (random() % 3 == 0) twins.add(k, uniform(random), instance.x());
    }
    twins.expect_equal_dots(instance.x());  // includes changes after `prepare`
    twins.all->release();
  }
  for (std::size_t k = 0; k < tasks; ++k) EXPECT_EQ(twins.columns[k].values(), twins.own[k]);
}

TEST(InterleavedWeights, every_task_has_the_same_bits_as_with_separate_weights) {
  for (const std::size_t tasks : {1U, 2U, 8U, 9U, 16U, 17U, 31U}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) run_at_random(seed, tasks);
  }
}

TEST(InterleavedWeights, have_the_same_bits_on_every_target) {
  with_every_instruction_set([&](std::int64_t) { run_at_random(99, 19); });
}

/// Weights of one feature whose product with 1 is the margin.
void expect_right_bits(const std::vector<double>& margins, const std::vector<double>& bounds, double norm) {
  constexpr double least = 1e-100;
  Twins twins(margins.size());
  for (std::size_t k = 0; k < margins.size(); ++k) twins.columns[k].set_values({margins[k]});
  const Instance one{.indices = {0}, .values = {1}};
  twins.all->prepare(one.x(), {});
  const MarginBits bits = twins.all->compare(bounds, norm, least);
  for (std::size_t k = 0; k < margins.size(); ++k) {
    const double size = std::abs(twins.all->margins()[k]);
    const bool large = std::isfinite(size) && size > bounds[k] * norm && size > least;
    EXPECT_EQ(bits.large >> k & 1, large ? 1U : 0U) << margins[k] << " and " << bounds[k];
    EXPECT_EQ(bits.positive >> k & 1, margins[k] > 0 ? 1U : 0U) << margins[k];
  }
  EXPECT_EQ(bits.large >> bounds.size(), 0U);
}

TEST(InterleavedWeights, margins_are_compared_with_their_bounds) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> numbers{0,     -0.0,   1,        -1,        0.5,          -0.5, 1e-101, 2e-100,
                                    1e300, -1e300, infinity, -infinity, std::nan(""), 0.1,  -2,     3};
  std::mt19937_64 random(4);
  with_every_instruction_set([&](std::int64_t) {
    for (int round = 0; round < 200; ++round) {
      std::vector<double> margins(1 + random() % 24);
      for (double& margin : margins) margin = numbers[random() % numbers.size()];
      std::vector<double> bounds((margins.size() + 7) / 8 * 8, infinity);
      for (std::size_t k = 0; k < margins.size(); ++k)
        bounds[k] = std::abs(numbers[random() % numbers.size()]);
      for (const double norm : {1.0, 2.0, 1e-90, infinity, std::nan("")}) {
        expect_right_bits(margins, bounds, norm);
      }
    }
  });
}

TEST(InterleavedWeights, an_empty_instance_has_margin_0) {
  Twins twins(3);
  const Instance one{.indices = {0}, .values = {1}};
  twins.add(1, 2, one.x());
  twins.all->prepare(one.x(), {});
  EXPECT_EQ(twins.all->margins()[1], 2);
  twins.all->prepare({}, one.indices);
  for (const double margin : twins.all->margins()) EXPECT_EQ(margin, 0);
}

TEST(InterleavedWeights, prefetching_changes_nothing) {
  std::mt19937_64 random(1);
  Twins twins(5);
  for (int round = 0; round < 50; ++round) {
    const Instance now = random_instance(random, 30);
    const Instance next = random_instance(random, 90);
    twins.all->prepare(now.x(), next.indices);
    twins.expect_equal_dots(now.x());
    twins.add(2, 0.5, now.x());
    twins.all->release();
  }
}

TEST(InterleavedWeights,
     tasks_that_learn_the_same_instance_have_learned_it_before_anybody_reads_their_weights) {
  std::mt19937_64 random(6);
  with_every_instruction_set([&](std::int64_t) {
    for (int round = 0; round < 40; ++round) {
      Twins twins(11);
      const Instance first = random_instance(random, 20);
      const Instance second = random_instance(random, 20);
      const auto learn = [&] {
        for (std::size_t k = 0; k < 11; k += 1 + random() % 3)
          twins.add(k, 0.25 - static_cast<double>(k), first.x());
      };
      twins.all->prepare(first.x(), {});
      learn();
      twins.expect_equal_dots(second.x());
      learn();
      learn();  // some tasks twice, before the weights are read
      for (std::size_t k = 0; k < 11; ++k) ASSERT_EQ(twins.columns[k].values(), twins.own[k]);
      learn();
      twins.add(3, 2, second.x());
      scale(twins.columns[4], 0.5);
      scale(twins.own[4], 0.5);
      learn();
      twins.columns[5].set_values({1, 2});
      std::fill(twins.own[5].begin(), twins.own[5].end(), 0.0);
      twins.own[5].resize(2);
      twins.own[5] = {1, 2};
      learn();
      twins.all->prepare(second.x(), {});
      twins.expect_equal_dots(second.x());
    }
  });
}

TEST(InterleavedWeights, prepared_products_are_used_for_that_instance_only) {
  Twins twins(3);
  std::vector<double> values{1, 2};
  const FeatureView x = FeatureView::dense(values);
  twins.add(0, 1, x);
  twins.all->prepare(x, {});
  const std::vector<double> other{1, 2, 0};
  twins.expect_equal_dots(FeatureView::dense(other));
  twins.all->release();
  twins.expect_equal_dots(FeatureView());
  values = {5, 7};  // another instance at the same address
  twins.expect_equal_dots(x);
}

TEST(InterleavedWeights,
     zeros_of_an_instance_times_an_infinite_weight_give_the_same_as_with_separate_weights) {
  Twins twins(2);
  std::vector<double> huge(16);
  huge[3] = std::numeric_limits<double>::max();
  for (int k = 0; k < 2; ++k) twins.add(1, 1, FeatureView::dense(huge));
  std::vector<double> elsewhere(16);
  elsewhere[12] = 1;
  twins.all->prepare(FeatureView::dense(elsewhere), {});
  EXPECT_EQ(dot(twins.columns[0], FeatureView::dense(elsewhere)), 0);
  EXPECT_TRUE(std::isnan(dot(twins.own[1], FeatureView::dense(elsewhere))));
  EXPECT_TRUE(std::isnan(dot(twins.columns[1], FeatureView::dense(elsewhere))));
}

TEST(InterleavedWeights, replacing_a_column_replaces_all_of_its_weights) {
  Twins twins(2);
  twins.add(0, 1, FeatureView::dense(std::vector<double>{1, 2, 3, 4}));
  twins.add(1, 1, FeatureView::dense(std::vector<double>{5, 6}));
  twins.columns[0].set_values({7, 8});
  EXPECT_EQ(twins.columns[0].values(), (std::vector<double>{7, 8}));
  EXPECT_EQ(twins.columns[1].values(), (std::vector<double>{5, 6}));
  EXPECT_EQ(dot(twins.columns[0], FeatureView::dense(std::vector<double>{0, 0, 1, 1})), 0);
}

TEST(ScaledWeights, shrinking_gives_the_same_in_a_column_as_in_a_vector) {
  const auto all = std::make_shared<InterleavedWeights>(2);
  ScaledWeightsOf<WeightColumn> column{WeightColumn(all, 1)};
  ScaledWeights own;
  std::mt19937_64 random(3);
  for (int round = 0; round < 2000; ++round) {
    const Instance instance = random_instance(random, 20);
    // Down to numbers that underflow: folding the scale must leave the same numbers.
    const double step = round % 100 == 0 ? -1e-300 : 1;
    column.scale_and_add(0.4, step, instance.x());
    own.scale_and_add(0.4, step, instance.x());
    ASSERT_EQ(column.dot(instance.x()), own.dot(instance.x()));
  }
}

// The order of additions depends on x alone: a longer w has more zeros, and gives the same bits.
TEST(Dot, does_not_depend_on_how_far_w_has_grown) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 500; ++round) {
    const Instance instance = random_instance(random, 40);
    std::vector<double> w(random() % 100);
    for (double& weight : w) weight = std::sin(static_cast<double>(random()));
    std::vector<double> grown = w;
    grown.resize(300);
    ASSERT_EQ(dot(w, instance.x()), dot(grown, instance.x()));
  }
}

}  // namespace
}  // namespace askfew
