#include "askfew/estimates/drift_alarm.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "askfew/core/coin.h"
#include "askfew/core/snapshot.h"

namespace askfew {
namespace {

/// One round with this chance of a mistake, audited with probability 0.1.
std::optional<Change> play(ErrorAlarm& alarm, Coin& coin, std::uint64_t round, double error) {
  const bool wrong = coin(2 * round) < error;
  alarm.add(Label::negative);
  if (coin(2 * round - 1) < 0.1) {
    alarm.label({.round = round,
                 .prediction = Label::negative,
                 .truth = wrong ? Label::positive : Label::negative,
                 .chance = 0.1});
  }
  return alarm.check();
}

TEST(ErrorAlarm, reports_when_mistakes_become_more_and_when_they_become_fewer) {
  ErrorAlarm alarm(0.1, 500, 0.05);
  Coin coin({.seed = 1});
  std::vector<Change> changes;
  for (std::uint64_t t = 1; t <= 9000; ++t) {
    const double error = t <= 3000 || t > 6000 ? 0.05 : 0.5;
    if (const auto change = play(alarm, coin, t, error)) changes.push_back(*change);
  }
  ASSERT_EQ(changes.size(), 2);
  EXPECT_EQ(changes[0].kind, ChangeKind::error_up);
  EXPECT_GT(changes[0].round, 3000);
  EXPECT_LE(changes[0].round, 3500);
  EXPECT_LE(changes[0].since, 3500);
  EXPECT_EQ(changes[1].kind, ChangeKind::error_down);
  EXPECT_GT(changes[1].round, 6000);
  EXPECT_LE(changes[1].round, 7500);
}

TEST(ErrorAlarm, is_silent_while_nothing_changes) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    ErrorAlarm alarm(0.1, 200, 0.05);
    Coin coin({.seed = seed});
    for (std::uint64_t t = 1; t <= 2000; ++t) ASSERT_FALSE(play(alarm, coin, t, 0.2)) << seed;
  }
}

TEST(ErrorAlarm, a_snapshot_goes_on_bit_for_bit) {
  ErrorAlarm whole(0.1, 50, 0.05);
  Coin coin({.seed = 3});
  std::uint64_t t = 0;
  while (t < 120) play(whole, coin, ++t, 0.3);
  Snapshot half;
  SnapshotWriter(half, "")("alarm", whole);
  ErrorAlarm resumed(0.1, 50, 0.05);
  SnapshotReader(half, "")("alarm", resumed);
  Coin same({.seed = 3});
  for (std::uint64_t u = t; u < 300;) play(resumed, same, ++u, 0.3);
  while (t < 300) play(whole, coin, ++t, 0.3);
  Snapshot expected;
  Snapshot got;
  SnapshotWriter(expected, "")("alarm", whole);
  SnapshotWriter(got, "")("alarm", resumed);
  EXPECT_EQ(got, expected);
}

TEST(SameUpToScale, finds_the_factor_if_there_is_one) {
  std::vector<double> f;
  std::vector<double> g;
  for (int k = -20; k <= 30; ++k) f.push_back(k + 0.5);
  for (const double x : f) g.push_back(1e6 * x);
  EXPECT_TRUE(same_up_to_scale(f, g, 0.001));
  EXPECT_TRUE(same_up_to_scale(g, f, 0.001));
  // A shift is not a factor: first 20 of the 51 are negative, then none.
  for (double& x : g) x += 25e6;
  EXPECT_FALSE(same_up_to_scale(f, g, 0.3));
  EXPECT_TRUE(same_up_to_scale(f, g, 0.42));
}

/// The smallest sup_x |F(x) - G(c x)| over a fine grid of factors c.
double least_distance(const std::vector<double>& f, const std::vector<double>& g) {
  const auto below = [](const std::vector<double>& sample, double x) {
    return static_cast<double>(std::upper_bound(sample.begin(), sample.end(), x) - sample.begin()) /
           static_cast<double>(sample.size());
  };
  double least = 1;
  for (double c = 0.02; c < 50; c *= 1.002) {
    double most = 0;
    for (const double x : f) {
      most = std::max(most, std::abs(below(f, x) - below(g, c * x)));
      most = std::max(most, std::abs(below(f, x - 1e-9) - below(g, c * (x - 1e-9))));
    }
    for (const double x : g) {
      most = std::max(most, std::abs(below(f, x / c) - below(g, x)));
      most = std::max(most, std::abs(below(f, (x - 1e-9) / c) - below(g, x - 1e-9)));
    }
    least = std::min(least, most);
  }
  return least;
}

TEST(SameUpToScale, agrees_with_a_search_over_factors) {
  Coin coin({.seed = 4});
  std::uint64_t n = 0;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> f(12);
    std::vector<double> g(15);
    const double shift = coin(++n) - 0.5;
    for (double& x : f) x = coin(++n) - 0.5;
    for (double& x : g) x = 3 * (coin(++n) - 0.5 + shift);
    std::sort(f.begin(), f.end());
    std::sort(g.begin(), g.end());
    // The search misses factors between those that it tries: the distance that it finds is at least the
    // smallest distance.
    const double found = least_distance(f, g);
    EXPECT_LE(distance_up_to_scale(f, g), found) << trial;
    EXPECT_GE(distance_up_to_scale(f, g), found - 0.1) << trial;
    EXPECT_TRUE(same_up_to_scale(f, g, found + 1e-9)) << trial;
    EXPECT_FALSE(same_up_to_scale(f, g, found - 0.1)) << trial;
  }
}

/// Margins of two classes, `apart` from each other; one in three is positive.
double margin(Coin& coin, std::uint64_t t, double apart) {
  const double radius = std::sqrt(-2 * std::log1p(-coin(3 * t)));
  const double normal = radius * std::cos(2 * std::numbers::pi * coin(3 * t - 1));
  return normal + (coin(3 * t - 2) < 1.0 / 3 ? apart : -apart);
}

TEST(MarginAlarm, is_silent_while_only_the_scale_changes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    MarginAlarm alarm(200, 0.05);
    Coin coin({.seed = seed});
    for (std::uint64_t t = 1; t <= 4000; ++t) {
      const double scale = std::pow(2, static_cast<double>(t / 200));
      ASSERT_FALSE(alarm.add(scale * margin(coin, t, 1), 1)) << seed << ' ' << t;
    }
  }
}

TEST(MarginAlarm, reports_when_the_shape_has_changed) {
  MarginAlarm alarm(500, 0.05);
  Coin coin({.seed = 7});
  std::vector<Change> changes;
  for (std::uint64_t t = 1; t <= 6000; ++t) {
    const double apart = t <= 3000 ? 3 : -3;  // one in three is positive, then two in three
    if (const auto change = alarm.add(2 * margin(coin, t, apart), 2)) changes.push_back(*change);
  }
  ASSERT_EQ(changes.size(), 1);
  EXPECT_EQ(changes[0].kind, ChangeKind::margins);
  EXPECT_EQ(changes[0].since, 3000);
  EXPECT_EQ(changes[0].round, 3500);
}

TEST(MarginAlarm, a_snapshot_goes_on_bit_for_bit) {
  MarginAlarm whole(50, 0.05);
  Coin coin({.seed = 8});
  for (std::uint64_t t = 1; t <= 120; ++t) whole.add(margin(coin, t, 1), 1);
  Snapshot half;
  SnapshotWriter(half, "")("alarm", whole);
  MarginAlarm resumed(50, 0.05);
  SnapshotReader(half, "")("alarm", resumed);
  for (std::uint64_t t = 121; t <= 220; ++t) {
    const double next = margin(coin, t, 1);
    whole.add(next, 1);
    resumed.add(next, 1);
  }
  Snapshot expected;
  Snapshot got;
  SnapshotWriter(expected, "")("alarm", whole);
  SnapshotWriter(got, "")("alarm", resumed);
  EXPECT_EQ(got, expected);
}

}  // namespace
}  // namespace askfew
