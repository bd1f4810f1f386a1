// The papers' statements about every single update.

#include <gtest/gtest.h>

#include "askfew/learners/alma.h"
#include "askfew/learners/passive_aggressive.h"
#include "askfew/learners/reflect.h"
#include "askfew/learners/shifting.h"
#include "askfew/learners/winnow.h"

#include "tests/streams.h"

namespace askfew {
namespace {

const test::Stream& noisy() {
  static const test::Stream stream = test::teacher_stream(11, 1500, 25, 6, 0, 0.2);
  return stream;
}

// Slides, part 3: l_t(w_t) = 0.
TEST(PassiveAggressive, loss_is_zero_after_an_update) {
  PassiveAggressive<Hildreth> learner({}, {});
  for (const auto& example : noisy()) {
    const double margin = learner.margin(example.x());
    if (!learner.suffers(example.y, margin)) continue;
    learner.update(example.x(), example.y, margin);
    ASSERT_NEAR(sign(example.y) * learner.margin(example.x()), 1, 1e-12);
  }
}

// The margins on the unit vectors are the weights.
template <class L>
std::vector<double> weights_of(const L& learner, std::size_t dimension) {
  std::vector<double> weights;
  std::vector<double> unit(dimension, 0.0);
  for (std::size_t i = 0; i < dimension; ++i) {
    unit[i] = 1;
    weights.push_back(learner.margin(FeatureView::dense(unit)));
    unit[i] = 0;
  }
  return weights;
}

// Gentile 2001: the weights never leave the unit ball.
TEST(Alma, the_norm_of_the_weights_is_at_most_one) {
  Alma learner({.alpha = 0.3}, {});
  for (const auto& example : noisy()) {
    const double margin = learner.margin(example.x());
    if (!learner.suffers(example.y, margin)) continue;
    learner.update(example.x(), example.y, margin);
    ASSERT_LE(FeatureView::sum_of_squares(weights_of(learner, 25)), 1 + 1e-12);
  }
}

// Monteleoni, Kaariainen 2007, footnote 2: "the norm of the hypothesis stays constant at one".
TEST(Reflect, the_norm_of_the_hypothesis_stays_one) {
  Reflect learner({.step = 2}, {});
  learner.start(noisy()[0].x(), noisy()[0].y);
  for (const auto& example : noisy()) {
    const double margin = learner.margin(example.x());
    if (sgn(margin) == example.y) continue;
    learner.update(example.x(), example.y, margin);
    ASSERT_NEAR(FeatureView::sum_of_squares(weights_of(learner, 25)), 1, 1e-10);
    ASSERT_NEAR(learner.margin(example.x()), -margin, 1e-12);
  }
}

// |x| = 1 and updates on mistakes only: |w_k|^2 <= (1 - l_k)^2 |w_(k-1)|^2 + 1, since y w.x <= 0.
TEST(Shifting, the_norm_of_the_weights_grows_more_slowly_than_the_perceptrons) {
  constexpr double lambda = 2;
  Shifting learner({.lambda = lambda}, {});
  double bound = 0;
  double k = 0;
  for (const auto& example : noisy()) {
    const double margin = learner.margin(example.x());
    if (sgn(margin) == example.y) continue;
    learner.update(example.x(), example.y, margin);
    const double kept = k / (lambda + k);
    bound = kept * kept * bound + 1;
    ++k;
    ASSERT_LE(FeatureView::sum_of_squares(weights_of(learner, 25)), bound * (1 + 1e-12));
  }
  EXPECT_NEAR(bound, k / (2 * lambda + 1), 1);
}

// Cesa-Bianchi et al. 2006, Section 3: Winnow's weights belong to the probability simplex.
TEST(Winnow, weights_stay_in_the_simplex) {
  Winnow learner({.eta = 3}, {.dimension = 25});
  for (const auto& example : noisy()) {
    const double margin = learner.margin(example.x());
    if (sgn(margin) == example.y) continue;
    learner.update(example.x(), example.y, margin);
    double sum = 0;
    for (const double w : weights_of(learner, 25)) {
      ASSERT_GE(w, 0);
      sum += w;
    }
    ASSERT_NEAR(sum, 1, 1e-12);
  }
}

}  // namespace
}  // namespace askfew
