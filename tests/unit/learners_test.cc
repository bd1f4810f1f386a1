// Each learner compared with its formula, computed by hand; conformance, theorems and golden traces test the
// rest.

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "askfew/learners/alma.h"
#include "askfew/learners/budget.h"
#include "askfew/learners/p_norm.h"
#include "askfew/learners/passive_aggressive.h"
#include "askfew/learners/perceptron.h"
#include "askfew/learners/reflect.h"
#include "askfew/learners/shifting.h"
#include "askfew/learners/winnow.h"

namespace askfew {
namespace {

FeatureView view(const std::vector<double>& x) {
  return FeatureView::dense(x);
}

template <class L>
void learn(L& learner, const std::vector<double>& x, Label y) {
  learner.update(view(x), y, learner.margin(view(x)));
}

const std::vector<double> e1{1, 0};
const std::vector<double> e2{0, 1};
const std::vector<double> both{1, 2};

TEST(Perceptron, adds_rate_times_y_x) {
  Perceptron learner({.rate = 0.5}, {});
  learn(learner, both, Label::negative);
  EXPECT_DOUBLE_EQ(learner.margin(view(e1)), -0.5);
  EXPECT_DOUBLE_EQ(learner.margin(view(e2)), -1);
}

TEST(Reflect, starts_with_the_first_instance_and_reflects_at_updates) {
  Reflect learner({}, {});
  learner.start(view({0, 0}), Label::positive);
  EXPECT_FALSE(learner.started());
  learner.start(view(e1), Label::negative);
  EXPECT_TRUE(learner.started());
  EXPECT_DOUBLE_EQ(learner.margin(view(e1)), -1);
  learn(learner, {0.6, 0.8}, Label::positive);  // v = -e1 + 1.2 (0.6, 0.8)
  EXPECT_NEAR(learner.margin(view(e1)), -0.28, 1e-15);
  EXPECT_NEAR(learner.margin(view(e2)), 0.96, 1e-15);
}

TEST(Shifting, weighs_old_updates_less) {
  Shifting learner({.lambda = 1}, {});
  learn(learner, e1, Label::positive);  // l = 1:   w = e1
  learn(learner, e2, Label::positive);  // l = 1/2: w = e1/2 + e2
  learn(learner, e2, Label::positive);  // l = 1/3: w = e1/3 + 5/3 e2
  EXPECT_DOUBLE_EQ(learner.margin(view(e1)), 1.0 / 3);
  EXPECT_DOUBLE_EQ(learner.margin(view(e2)), 5.0 / 3);
}

TEST(PassiveAggressive, steps_equal_their_formulas) {
  PassiveAggressive<Hildreth> pa({}, {});
  learn(pa, both, Label::positive);
  EXPECT_DOUBLE_EQ(pa.margin(view(e1)), 0.2);  // l/xx = 1/5
  PassiveAggressive<PaOne> one({.C = 0.1}, {});
  learn(one, both, Label::positive);
  EXPECT_DOUBLE_EQ(one.margin(view(e1)), 0.1);
  PassiveAggressive<PaTwo> two({.C = 0.2}, {});
  learn(two, both, Label::positive);
  EXPECT_DOUBLE_EQ(two.margin(view(e1)), 0.1);  // 1/(5+5)
}

TEST(PassiveAggressive, suffers_a_loss_below_margin_one) {
  const PassiveAggressive<Hildreth> pa({}, {});
  EXPECT_TRUE(pa.suffers(Label::positive, 0.99));
  EXPECT_FALSE(pa.suffers(Label::positive, 1));
  EXPECT_TRUE(pa.suffers(Label::negative, -0.5));
}

TEST(Alma, projects_onto_the_unit_ball) {
  Alma learner({.alpha = 0.5}, {});
  learn(learner, e1, Label::positive);  // w' = sqrt 2 e1, w = e1
  EXPECT_DOUBLE_EQ(learner.margin(view(e1)), 1);
  EXPECT_TRUE(learner.suffers(Label::positive, 0.7));  // (1-alpha)/alpha/sqrt 2 = 0.707
  EXPECT_FALSE(learner.suffers(Label::positive, 0.71));
  learn(learner, e2, Label::positive);  // w' = (1, 1), w = (1, 1)/sqrt 2
  EXPECT_DOUBLE_EQ(learner.margin(view(e1)), std::sqrt(0.5));
}

TEST(Winnow, multiplies_and_divides_by_the_sum) {
  Winnow learner({.eta = 1}, {.dimension = 2});
  EXPECT_DOUBLE_EQ(learner.margin(view(e1)), 0.5);
  learn(learner, e1, Label::negative);
  const double e = std::exp(-1.0);
  EXPECT_DOUBLE_EQ(learner.margin(view(e1)), e / (1 + e));
  EXPECT_DOUBLE_EQ(learner.margin(view(e2)), 1 / (1 + e));
}

TEST(Winnow, stays_finite_when_weights_exceed_every_double) {
  Winnow learner({.eta = 50}, {.dimension = 2});
  for (int k = 0; k < 100; ++k) learn(learner, {1, 1}, Label::positive);  // e^5000
  EXPECT_DOUBLE_EQ(learner.margin(view(e1)), 0.5);
  for (int k = 0; k < 200; ++k) learn(learner, {1, 1}, Label::negative);
  EXPECT_DOUBLE_EQ(learner.margin(view(e1)), 0.5);
}

// Large values: a weight that makes up the whole sum can lose 70 binary digits at once, and get them back.
TEST(Winnow, the_sum_of_weights_stays_right_however_different_the_weights_are) {
  constexpr FeatureView::Index dimension = 8;
  constexpr double eta = 0.5;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    Winnow learner({.eta = eta}, {.dimension = dimension});
    std::vector<double> logarithms(dimension);
    for (int t = 0; t < 30; ++t) {
      std::vector<double> x(dimension);
      for (double& value : x) value = static_cast<double>(random() % 3) * 100 - 100;
      const double highest = *std::max_element(logarithms.begin(), logarithms.end());
      double sum = 0;
      double undivided = 0;
      for (std::size_t i = 0; i < dimension; ++i) {
        const double weight = std::exp(logarithms[i] - highest);
        sum += weight;
        undivided += weight * x[i];
      }
      const double margin = learner.margin(view(x));
      ASSERT_NEAR(margin, undivided / sum, 1e-6) << seed << ", " << t;
      const Label y = random() % 2 == 0 ? Label::positive : Label::negative;
      learner.update(view(x), y, margin);
      for (std::size_t i = 0; i < dimension; ++i) logarithms[i] += eta * sign(y) * x[i];
    }
  }
}

TEST(Winnow, needs_the_dimension_and_has_no_weights_beyond_it) {
  EXPECT_THROW(Winnow({}, {}), ConfigError);
  Winnow learner({}, {.dimension = 1});
  EXPECT_EQ(learner.margin(view(e2)), 0);  // beyond the dimension there is no weight
  EXPECT_THROW(learn(learner, e2, Label::positive), ConfigError);
}

TEST(WinnowBalanced, equals_winnow_on_x_and_minus_x) {
  WinnowBalanced balanced({.eta = 0.7}, {.dimension = 2});
  Winnow doubled({.eta = 0.7}, {.dimension = 4});
  const auto both_signs = [](const std::vector<double>& x) { return std::vector{x[0], x[1], -x[0], -x[1]}; };
  const std::vector<std::pair<std::vector<double>, Label>> stream{
      {{1, -0.5}, Label::negative}, {{0.25, 2}, Label::positive}, {{-1, 1}, Label::positive}};
  for (const auto& [x, y] : stream) {
    EXPECT_NEAR(balanced.margin(view(x)), doubled.margin(view(both_signs(x))), 1e-15);
    learn(balanced, x, y);
    learn(doubled, both_signs(x), y);
  }
}

TEST(PNorm, weights_are_the_link_function_of_theta) {
  PNorm learner({.p = 3}, {});
  EXPECT_EQ(learner.margin(view(both)), 0);
  learn(learner, {1, -2}, Label::positive);
  const double norm = std::cbrt(1.0 + 8.0);
  EXPECT_DOUBLE_EQ(learner.margin(view(e1)), 1 / norm);
  EXPECT_DOUBLE_EQ(learner.margin(view(e2)), -4 / norm);
}

TEST(Budget, never_sums_more_than_b_supports) {
  Budget learner({.B = 1}, {});
  learn(learner, e1, Label::positive);
  learn(learner, both, Label::negative);  // replaces the only support
  EXPECT_EQ(learner.margin(view(e1)), -1);
  EXPECT_EQ(learner.margin(view(e2)), -2);
}

TEST(Budget, removing_a_support_leaves_exactly_0) {
  Budget learner({.B = 3}, {});
  for (int k = 0; k < 1000; ++k) learn(learner, {0.1 * k, 1.0 / (k + 1), 1e5 / (k + 7)}, Label::positive);
  for (int k = 0; k < 200; ++k) learn(learner, {0, 0, 0, 1}, Label::negative);
  EXPECT_EQ(learner.margin(view({1, 0, 0})), 0);
  EXPECT_EQ(learner.margin(view({0, 1, 0})), 0);
  EXPECT_EQ(learner.margin(view({0, 0, 1})), 0);
  EXPECT_EQ(learner.margin(view({0, 0, 0, 1})), -3);
}

}  // namespace
}  // namespace askfew
