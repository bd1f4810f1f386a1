#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <utility>
#include <vector>

#include "askfew/rules/adaptive.h"
#include "askfew/rules/always.h"
#include "askfew/rules/halving.h"
#include "askfew/rules/log_threshold.h"
#include "askfew/rules/margin.h"
#include "askfew/rules/random.h"
#include "askfew/rules/threshold.h"

namespace askfew {
namespace {

TEST(Always, asks_for_every_label) {
  EXPECT_EQ(Always({}, {}).ask_probability({.margin = 1e9}, {}), 1);
}

TEST(Random, asks_with_probability_q) {
  EXPECT_EQ(Random({.q = 0.3}, {}).ask_probability({}, {}), 0.3);
}

TEST(Margin, the_probability_is_b_over_b_plus_margin) {
  const Margin rule({.b = 0.5}, {});
  EXPECT_DOUBLE_EQ(rule.ask_probability({.margin = 0}, {}), 1);
  EXPECT_DOUBLE_EQ(rule.ask_probability({.margin = -1.5}, {}), 0.25);
}

TEST(Adaptive, the_probability_grows_with_updates_and_the_longest_instance) {
  Adaptive rule({.beta = 2}, {});
  EXPECT_DOUBLE_EQ(rule.ask_probability({.margin = 1, .norm = 1}, {.round = 1}), 2.0 / 3);
  EXPECT_DOUBLE_EQ(rule.ask_probability({.margin = 1, .norm = 1}, {.round = 1, .updates = 3}), 4.0 / 5);
  rule.observe({.score = {.norm = 10}}, true, false);  // asked but not updated: X stays
  EXPECT_DOUBLE_EQ(rule.ask_probability({.margin = 1, .norm = 1}, {.round = 1}), 2.0 / 3);
  rule.observe({.score = {.norm = 2}}, true, true);
  EXPECT_DOUBLE_EQ(rule.ask_probability({.margin = 1, .norm = 1}, {.round = 1}), 8.0 / 9);
}

TEST(Adaptive, asks_for_a_zero_vector) {
  EXPECT_EQ(Adaptive({}, {}).ask_probability({}, {.round = 1}), 1);
}

TEST(Halving, halves_after_r_right_answers_in_a_row) {
  Halving rule({.R = 2, .s = 1}, {});
  const auto asks = [&](double margin) { return rule.ask_probability({.margin = margin}, {}) == 1; };
  EXPECT_TRUE(asks(-1));
  EXPECT_FALSE(asks(1.01));
  rule.observe({}, false, false);
  rule.observe({}, true, true);  // a mistake starts the count anew
  rule.observe({}, false, false);
  EXPECT_TRUE(asks(1));
  rule.observe({}, false, false);
  EXPECT_FALSE(asks(0.51));
  EXPECT_TRUE(asks(0.5));
}

TEST(Threshold, a_larger_spread_counts_as_doubt) {
  const Threshold rule({.b = 1, .k = 10}, {});
  const Tally tally{.round = 9, .asked = 3, .updates = 2};
  EXPECT_EQ(rule.ask_probability({.margin = 1.1}, tally), 0);
  EXPECT_EQ(rule.ask_probability({.margin = 1.1, .spread = 5}, tally), 1);
  EXPECT_EQ(rule.ask_probability({.margin = -1.3, .spread = 5}, tally), 0);
}

TEST(Threshold, the_critical_scale_is_the_smallest_that_asks) {
  Threshold rule({}, {});
  const Tally tally{.round = 9, .asked = 3, .updates = 2};
  const Score score{.margin = -0.7, .spread = 3};
  const double critical = rule.critical_scale(rule.rank(score), tally).value();
  rule.set_scale(critical * (1 + 1e-12));
  EXPECT_EQ(rule.ask_probability(score, tally), 1);
  rule.set_scale(critical * (1 - 1e-12));
  EXPECT_EQ(rule.ask_probability(score, tally), 0);
}

TEST(LogThreshold, the_critical_scale_is_the_smallest_that_asks) {
  LogThreshold rule({}, {});
  const Tally tally{.round = 90, .asked = 30, .updates = 20};
  const Score score{.margin = -0.7, .norm = 3};
  const double critical = rule.critical_scale(rule.rank(score), tally).value();
  rule.set_scale(critical * (1 + 1e-12));
  EXPECT_EQ(rule.ask_probability(score, tally), 1);
  rule.set_scale(critical * (1 - 1e-12));
  EXPECT_EQ(rule.ask_probability(score, tally), 0);
}

TEST(LogThreshold, a_skipped_instance_has_the_highest_rank_and_the_largest_scale) {
  const LogThreshold skips({.empty = 1}, {});
  const LogThreshold asks({}, {});
  const Tally tally{.round = 3, .asked = 1, .updates = 1};
  const Score empty{};
  EXPECT_GT(skips.rank(empty), skips.rank({.margin = 1e100, .norm = 1}));
  EXPECT_EQ(skips.critical_scale(skips.rank(empty), tally), std::numeric_limits<double>::max());
  EXPECT_EQ(asks.critical_scale(asks.rank(empty), tally), 0);
  EXPECT_EQ(asks.critical_scale(1, {.round = 1, .updates = 1}), std::nullopt) << "ln 1 is 0";
  EXPECT_EQ(asks.critical_scale(1, {.round = 9, .updates = 0}), std::nullopt);
}

TEST(LogThreshold, a_margin_above_the_silent_bound_is_never_asked) {
  const double norm = 0.37;
  for (const double c : {1e-90, 1e-3, 1.0, 1e6}) {
    const LogThreshold rule({.c = c}, {});
    for (const std::uint64_t updates : {1U, 2U, 3U, 1000U}) {
      for (const std::uint64_t last : {2U, 3U, 4U, 5U, 511U, 512U, 513U, 1'000'000U}) {
        const double bound = rule.silent_above({.round = 1, .updates = updates}, last);
        ASSERT_LT(bound, std::numeric_limits<double>::infinity());
        const double margin = std::nextafter(std::max(bound * norm, smallest_silent), 1e300);
        for (std::uint64_t round = 2; round <= last; round = std::max(round + 1, last / 2)) {
          const Tally tally{.round = round, .updates = updates};
          EXPECT_EQ(rule.ask_probability({.margin = margin, .norm = norm}, tally), 0) << round;
          EXPECT_EQ(rule.ask_probability({.margin = -margin, .norm = norm}, tally), 0) << round;
        }
        // The bound is of use: half of it asks in the last round.
        const Tally tally{.round = last, .updates = updates};
        EXPECT_EQ(rule.ask_probability({.margin = bound * norm / 2, .norm = norm}, tally), 1);
      }
    }
  }
}

TEST(LogThreshold, has_no_silent_bound_where_other_things_than_the_margin_decide) {
  const double none = std::numeric_limits<double>::infinity();
  const Tally tally{.round = 9, .updates = 4};
  EXPECT_EQ(LogThreshold({.next = 1}, {}).silent_above(tally, 99), none);
  EXPECT_EQ(LogThreshold({.lambda = 8}, {.dimension = 3}).silent_above(tally, 99), none);
  EXPECT_EQ(LogThreshold({.c = 1e-200}, {}).silent_above(tally, 99), none);
  EXPECT_EQ(LogThreshold({}, {}).silent_above({.round = 9}, 99), none);
}

TEST(LogThreshold, an_instance_without_features_is_skipped_if_the_parameter_says_so) {
  const Tally tally{.round = 9, .asked = 3, .updates = 2};
  EXPECT_EQ(LogThreshold({}, {}).ask_probability({}, tally), 1);
  EXPECT_EQ(LogThreshold({.empty = 1}, {}).ask_probability({}, tally), 0);
  EXPECT_EQ(LogThreshold({.empty = 1}, {}).ask_probability({}, {.round = 1}), 0);
  EXPECT_EQ(LogThreshold({.empty = 1}, {}).ask_probability({.norm = 1}, tally), 1);
}

TEST(LogThreshold, the_threshold_shrinks_with_stored_examples) {
  const LogThreshold rule({.c = 4}, {});
  EXPECT_EQ(rule.ask_probability({.margin = 100}, {.round = 9}), 1);  // nothing stored yet
  const double threshold = 2 * std::sqrt(4 * std::log(9.0) / 5);
  const Tally tally{.round = 9, .updates = 5};
  EXPECT_EQ(rule.ask_probability({.margin = threshold * 0.999, .norm = 2}, tally), 1);
  EXPECT_EQ(rule.ask_probability({.margin = threshold * 1.001, .norm = 2}, tally), 0);
}

TEST(LogThreshold, next_asks_for_the_label_after_a_small_margin) {
  LogThreshold rule({.c = 1, .next = 1}, {});
  const Tally tally{.round = 9, .updates = 5};
  EXPECT_EQ(rule.ask_probability({.margin = 0, .norm = 1}, tally), 0);
  rule.look_ahead({.margin = 0, .norm = 1}, tally);
  EXPECT_EQ(rule.ask_probability({.margin = 100, .norm = 1}, tally), 1);
  rule.look_ahead({.margin = 100, .norm = 1}, tally);
  EXPECT_EQ(rule.ask_probability({.margin = 0, .norm = 1}, tally), 0);
}

TEST(LogThreshold, the_transient_asks_for_the_first_labels) {
  const LogThreshold rule({.c = 1, .lambda = 2}, {.dimension = 10});  // rho = 16/4 max(10, ln t) = 40
  EXPECT_EQ(rule.ask_probability({.margin = 100, .norm = 1}, {.round = 99, .updates = 40}), 1);
  EXPECT_EQ(rule.ask_probability({.margin = 100, .norm = 1}, {.round = 99, .updates = 41}), 0);
  EXPECT_THROW(LogThreshold({.lambda = 2}, {}), ConfigError);
}

}  // namespace
}  // namespace askfew
