// The protocol for learners with a spread, tested with the smallest such learner: a diagonal second-order
// Perceptron.

#include <gtest/gtest.h>

#include "askfew/learners/perceptron.h"
#include "askfew/protocol/sampler.h"
#include "askfew/rules/halving.h"
#include "askfew/rules/margin.h"

#include "tests/streams.h"

namespace askfew {
namespace {

/// w_i = v_i / a_i with a_i = 1 + sum of x_i^2 over updates; spread r = sum of x_i^2 / a_i <= |x|^2.
class Diagonal {
 public:
  using Params = NoParams;
  static constexpr LearnerInfo info{.name = "diagonal"};
  static constexpr bool margin_is_divided = true;

  Diagonal(const Params& /*params*/, const Setting& /*setting*/) : v_(100), a_(100, 1.0) {}

  [[nodiscard]] double undivided_margin(const FeatureView& x) const {
    double sum = 0;
    x.for_each([&](FeatureView::Index i, double value) { sum += v_[i] / a_[i] * value; });
    return sum;
  }
  [[nodiscard]] double spread(const FeatureView& x) const {
    ++spreads;
    double sum = 0;
    x.for_each([&](FeatureView::Index i, double value) { sum += value * value / a_[i]; });
    return sum;
  }
  [[nodiscard]] double spread_bound(const FeatureView& x) const { return x.squared_norm() * (1 + 1e-12); }
  [[nodiscard]] double margin(const FeatureView& x) const { return undivided_margin(x) / (1 + spread(x)); }
  void update(const FeatureView& x, Label y, double /*margin*/) {
    x.for_each([&](FeatureView::Index i, double value) {
      v_[i] += sign(y) * value;
      a_[i] += value * value;
    });
  }

  mutable int spreads = 0;  ///< how often the exact spread was computed

 private:
  std::vector<double> v_;
  std::vector<double> a_;
};

/// Asks if the spread is large.
class LargeSpread {
 public:
  using Params = NoParams;
  static constexpr std::string_view name() { return "large-spread"; }
  static constexpr bool needs_spread = true;
  LargeSpread(const Params& /*params*/, const Setting& /*setting*/) {}
  [[nodiscard]] double ask_probability(const Score& score, const Tally& /*tally*/) const {
    return score.spread > 0.1 ? 1 : 0;
  }
};

static_assert(HasSpread<Diagonal> && !HasSpread<Perceptron>);
static_assert(Pairable<Diagonal, LargeSpread> && Pairable<Diagonal, Margin> && Pairable<Perceptron, Margin>);
// Illegal pairs do not compile: a rule that needs the spread with a learner that has none.
static_assert(!Pairable<Perceptron, LargeSpread>);
template <class L, class R>
concept HasSampler = requires { typename Sampler<L, R>; };
static_assert(HasSampler<Diagonal, LargeSpread> && !HasSampler<Perceptron, LargeSpread>);

template <class R>
void expect_the_same_decisions(const typename R::Params& params, int max_spreads) {
  const test::Stream stream = test::teacher_stream(5, 3000, 100, 10, 0, 0.05);
  const CoinKey key{.seed = 9};
  Sampler<Diagonal, R> lazy(Diagonal({}, {}), R(params, {}), UpdatePolicy::mistake, key, Exactness::lazy);
  Sampler<Diagonal, R> exact(Diagonal({}, {}), R(params, {}), UpdatePolicy::mistake, key, Exactness::exact);
  for (const auto& example : stream) {
    const Query a = lazy.ask(example.x());
    const Query b = exact.ask(example.x());
    ASSERT_EQ(a.asked, b.asked);
    ASSERT_EQ(a.prediction, b.prediction);
    if (!a.asked) {
      ASSERT_GE(a.probability, b.probability);
      continue;
    }
    ASSERT_GE(a.probability, b.probability);
    if (a.score.spread != 0) {
      ASSERT_EQ(a.score.margin, b.score.margin);
    }
    ASSERT_EQ(lazy.tell(example.x(), example.y, a), exact.tell(example.x(), example.y, b));
  }
  EXPECT_EQ(exact.learner().spreads, 3000);
  EXPECT_LT(lazy.learner().spreads, max_spreads);
}

TEST(LazySpread, a_margin_rule_decides_the_same_with_fewer_spreads) {
  expect_the_same_decisions<Margin>({.b = 0.05}, 1500);
}
TEST(LazySpread, a_threshold_rule_decides_the_same_with_fewer_spreads) {
  expect_the_same_decisions<Halving>({.R = 8, .s = 0.2}, 1500);
}

TEST(LazySpread, the_slack_is_the_width_of_the_interval_that_the_bounds_give) {
  const Margin::Params params{.b = 0.05};
  const Margin rule(params, {});
  Sampler<Diagonal, Margin> lazy(Diagonal({}, {}), rule, UpdatePolicy::mistake, {.seed = 9});
  Sampler<Diagonal, Margin> exact(Diagonal({}, {}), rule, UpdatePolicy::mistake, {.seed = 9},
                                  Exactness::exact);
  double slack = 0;
  for (const auto& example : test::teacher_stream(5, 3000, 100, 10, 0, 0.05)) {
    const Query a = lazy.ask(example.x());
    const Query b = exact.ask(example.x());
    // If bounds decided the round, `probability` is its upper bound, and the score gives its lower bound.
    slack += a.probability - rule.ask_probability(a.score, lazy.tally());
    if (a.asked) lazy.tell(example.x(), example.y, a);
    if (b.asked) exact.tell(example.x(), example.y, b);
  }
  EXPECT_GT(slack, 10);
  EXPECT_DOUBLE_EQ(lazy.tally().expected_slack, slack);
  EXPECT_LE(exact.tally().expected_asked, lazy.tally().expected_asked);
  EXPECT_GE(exact.tally().expected_asked, lazy.tally().expected_asked - slack);
  EXPECT_EQ(exact.tally().expected_slack, 0);
}

TEST(LazySpread, a_spread_rule_decides_the_same) {
  expect_the_same_decisions<LargeSpread>({}, 3001);
}

}  // namespace
}  // namespace askfew
