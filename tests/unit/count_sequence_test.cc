#include "askfew/estimates/count_sequence.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

#include "askfew/core/coin.h"
#include "askfew/core/errors.h"
#include "askfew/core/snapshot.h"

namespace askfew {
namespace {

std::shared_ptr<const CountGrid> grid(double floor, std::uint64_t horizon = 0) {
  return std::make_shared<const CountGrid>(floor, horizon);
}

/// Whether a round has the property, the probability with which it is asked, and the forecast.
struct Seen {
  bool counts;
  double chance;
  double forecast = 0;
};

/// The bounds computed slowly from their definition: ln M at L, and bisection.
/// `forecasts`: their sum over all rounds.
Interval by_definition(const CountGrid& points, const std::vector<Seen>& seen, double forecasts, double alpha,
                       std::uint64_t rounds) {
  const auto log_mixture = [&](bool below, double count) {
    double sum = 0;
    for (std::size_t j = 0; j < CountGrid::size; ++j) {
      const double h = below ? points.h[j] : -points.eta[j];
      const double x = (std::exp(h) - 1) / points.floor;
      const double part = below ? 1 / (1 + x) : 1 - x / 2;
      double exponent =
          (below ? points.low_weight[j] : points.high_weight[j]) + h * (part * forecasts - count);
      for (const Seen& label : seen) {
        const double u = (label.counts ? 1 : 0) - (label.chance < 1 ? part * label.forecast : 0);
        exponent += std::log(1 + (std::exp(h * u) - 1) / label.chance);
      }
      sum += std::exp(exponent);
    }
    return std::log(sum);
  };
  const auto solve = [&](bool below) {
    double low = 0;
    double high = 1e6;
    for (int k = 0; k < 100; ++k) {
      const double middle = (low + high) / 2;
      const double limit = std::log((below ? 3 : 1.5) / alpha);
      (below == (log_mixture(below, middle) > limit) ? low : high) = middle;
    }
    return low;
  };
  double present = 0;
  double absent = 0;
  for (const Seen& label : seen) ++(label.counts ? present : absent);
  return {std::max(present, std::ceil(solve(true) - 1e-6)),
          std::min(static_cast<double>(rounds) - absent, std::floor(solve(false) + 1e-6))};
}

TEST(CountSequence, bounds_equal_their_definition) {
  Coin coin({.seed = 1});
  std::uint64_t n = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const double floor = std::pow(10, -2.5 * coin(++n));
    const auto points = grid(floor, trial % 3 == 0 ? 1000 : 0);
    const bool with_forecasts = trial % 2 == 0;
    CountSequence sequence(points);
    std::vector<Seen> seen;
    double forecasts = 0;
    const auto expect = [&](double forecast) {
      forecasts += forecast;
      sequence.expect(forecast);
    };
    const auto size = static_cast<int>(40 * coin(++n));
    for (int k = 0; k < size; ++k) {
      const double chance = coin(++n) < 0.2 ? 1 : floor + (1 - floor) * std::pow(coin(++n), 3);
      const double forecast = with_forecasts && chance < 1 ? 0.5 * coin(++n) : 0;
      seen.push_back({coin(++n) < 0.6, chance, forecast});
      expect(forecast);
      if (with_forecasts) expect(0.5 * coin(++n));  // of a round that is not asked
      sequence.label(seen.back().counts, chance, forecast);
    }
    const double alpha = 0.01 + 0.2 * coin(++n);
    EXPECT_EQ(sequence.bounds(alpha, 5000, 0), by_definition(*points, seen, forecasts, alpha, 5000)) << trial;
  }
}

TEST(CountSequence, weights_sum_to_1_with_and_without_a_horizon) {
  for (const std::uint64_t horizon : {0ULL, 1ULL, 1000ULL, 1'000'000ULL, 1'000'000'000'000'000ULL}) {
    for (const double floor : {0.001, 0.05, 1.0}) {
      const CountGrid points(floor, horizon);
      double low = 0;
      double high = 0;
      for (std::size_t j = 0; j < CountGrid::size; ++j) {
        low += std::exp(points.low_weight[j]);
        high += std::exp(points.high_weight[j]);
      }
      EXPECT_NEAR(low, 1, 1e-12);
      EXPECT_NEAR(high, 1, 1e-12);
    }
  }
}

bool is_outside(const Interval& bounds, double count) {
  return count < bounds.low || count > bounds.high;
}
bool is_below(const Interval& bounds, double count) {
  return count < bounds.low;
}

// All sequences of coins, with their probabilities: how likely is it that the bounds are ever wrong? `play`
// gives the next round's property and probability, from the labels seen so far.
template <class IsWrong>
double chance_to_fail(const CountSequence& sequence, const std::function<Seen(const std::vector<int>&)>& play,
                      std::vector<int>& past, double count, double alpha, std::size_t rounds,
                      const IsWrong& is_wrong) {
  const Interval bounds = sequence.bounds(alpha, past.size(), 0);
  if (is_wrong(bounds, count)) return 1;
  if (past.size() == rounds) return 0;
  const Seen next = play(past);
  CountSequence not_asked = sequence;
  not_asked.expect(next.forecast);
  CountSequence asked = not_asked;
  asked.label(next.counts, next.chance, next.forecast);
  past.push_back(1);
  double failure =
      next.chance * chance_to_fail(asked, play, past, count + next.counts, alpha, rounds, is_wrong);
  past.back() = 0;
  failure +=
      (1 - next.chance) * chance_to_fail(not_asked, play, past, count + next.counts, alpha, rounds, is_wrong);
  past.pop_back();
  return failure;
}

using Play = std::function<Seen(const std::vector<int>&)>;

TEST(CountSequence, over_all_coins_the_bounds_fail_with_probability_below_alpha) {
  std::vector<int> past;
  const auto always = [](const std::vector<int>&) { return Seen{true, 0.3}; };
  // An adversary that stops when the labels so far mislead most, and that changes the probabilities.
  const auto stops_when_lucky = [](const std::vector<int>& coins) {
    int sum = 0;
    for (const int asked : coins) sum += asked != 0 ? 2 : -1;
    return Seen{sum < 3, coins.empty() || coins.back() != 0 ? 0.3 : 0.6};
  };
  const auto stops_when_unlucky = [](const std::vector<int>& coins) {
    int sum = 0;
    for (const int asked : coins) sum += asked != 0 ? 2 : -1;
    return Seen{sum > -6, 0.35};
  };
  // Forecasts that are bad, and worst after an unlucky coin.
  const auto misleads = [](const std::vector<int>& coins) {
    const bool lucky = !coins.empty() && coins.back() != 0;
    return Seen{lucky, 0.3, lucky ? 0.0 : 0.5};
  };
  const auto forecasts_well = [](const std::vector<int>& coins) {
    const bool counts = coins.size() % 3 == 0;
    return Seen{counts, 0.3, counts ? 0.5 : 0.1};
  };
  for (const auto& points : {grid(0.3), grid(0.3, 12)}) {
    for (const double alpha : {0.5, 0.2}) {
      double most = 0;
      for (const Play& play : {Play(always), Play(stops_when_lucky), Play(stops_when_unlucky), Play(misleads),
                               Play(forecasts_well)}) {
        const double failure = chance_to_fail(CountSequence(points), play, past, 0, alpha, 12, is_outside);
        EXPECT_LE(failure, alpha);
        most = std::max(most, failure);
      }
      EXPECT_GT(most, 0);  // otherwise the test would be trivial
    }
  }
}

TEST(CountSequence, over_all_coins_the_lower_bound_fails_with_probability_below_its_share_of_alpha) {
  std::vector<int> past;
  // An adversary that stops as soon as the labels stand for too many rounds.
  const auto stops_when_lucky = [](const std::vector<int>& coins) {
    int sum = 0;
    for (const int asked : coins) sum += asked != 0 ? 2 : -1;
    return Seen{sum < 3, 0.3, 0.2};
  };
  for (const double alpha : {1.0, 0.6, 0.3}) {
    const double failure =
        chance_to_fail(CountSequence(grid(0.3, 12)), stops_when_lucky, past, 0, alpha, 12, is_below);
    EXPECT_LE(failure, CountSequence::low_share * alpha);
    EXPECT_GT(failure, 0);
  }
}

TEST(CountGrid, every_part_of_a_forecast_keeps_the_factors_positive) {
  for (const ForecastKind kind : {ForecastKind::earlier, ForecastKind::fitted}) {
    for (const double floor : {0.0001, 0.02, 0.5, 1.0}) {
      const CountGrid points(floor, 0, kind);
      for (std::size_t j = 0; j < CountGrid::size; ++j) {
        const double q = 0.5;  // the largest forecast
        EXPECT_GT(std::exp(-points.h[j] * points.low_part[j] * q), 1 - floor);
        EXPECT_GT(std::exp(-points.eta[j] * (1 - points.high_part[j] * q)), 1 - floor);
        EXPECT_LT(points.high_part[j] * q, 1);
      }
    }
  }
}

TEST(CountGrid, the_earlier_kind_uses_whole_forecasts_except_for_the_largest_h) {
  const CountGrid points(0.01, 0, ForecastKind::earlier);
  for (std::size_t j = 0; j < CountGrid::size; ++j) {
    EXPECT_EQ(points.low_part[j], points.h[j] / 2 <= -std::log(1 - 0.97 * 0.01) ? 1 : 0);
    EXPECT_EQ(points.high_part[j], 1);
  }
  EXPECT_EQ(points.low_part.front(), 0);
  EXPECT_EQ(points.low_part.back(), 1);
}

TEST(CountSequence, good_forecasts_make_the_bounds_narrower) {
  Coin coin({.seed = 4});
  const auto points = grid(0.01, 20'000);
  CountSequence plain(points);
  CountSequence informed(points);
  double count = 0;
  for (std::uint64_t t = 1; t <= 20'000; ++t) {
    const double q = t % 2 == 0 ? 0.02 : 0.3;
    const bool counts = coin(2 * t) < q;
    count += counts ? 1 : 0;
    informed.expect(q);
    if (coin(2 * t + 1) >= 0.01) continue;
    plain.label(counts, 0.01);
    informed.label(counts, 0.01, q);
  }
  const Interval wide = plain.bounds(0.05, 20'000, 0);
  const Interval narrow = informed.bounds(0.05, 20'000, 0);
  EXPECT_LT(narrow.high - narrow.low, 0.9 * (wide.high - wide.low));
  EXPECT_LE(narrow.low, count);
  EXPECT_GE(narrow.high, count);
}

// Here the property itself is random: each round has it with probability 1/5, so that the expected count is a
// fifth of the rounds.
TEST(CountSequence, the_interval_contains_the_expected_count_at_all_times) {
  constexpr int runs = 200;
  constexpr double alpha = 0.2;
  int failures = 0;
  int failures_of_count = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    CountSequence sequence(grid(0.2));
    Coin coin({.seed = run});
    bool failed = false;
    bool failed_count = false;
    for (std::uint64_t t = 1; t <= 300; ++t) {
      const double chance = t % 2 == 0 ? 1 : 0.2;  // half of the rounds are asked with probability 1
      const bool present = coin(2 * t) < 0.2;
      if (coin(2 * t - 1) < chance) sequence.label(present, chance);
      const double expected = 0.2 * static_cast<double>(t);
      const Interval bounds = sequence.expected_bounds(alpha, t, 0);
      failed |= expected < bounds.low || expected > bounds.high;
      const Interval of_count = sequence.bounds(alpha, t, 0);
      failed_count |= expected < of_count.low || expected > of_count.high;
    }
    failures += failed ? 1 : 0;
    failures_of_count += failed_count ? 1 : 0;
  }
  EXPECT_LE(failures, runs * alpha);
  EXPECT_GT(failures_of_count, runs * alpha);  // bounds on the count itself do not bound the expected count
}

TEST(CountSequence, rounds_asked_with_probability_1_are_counted_exactly) {
  CountSequence sequence(grid(0.01));
  for (int k = 0; k < 100; ++k) sequence.label(k % 4 == 0, 1);
  EXPECT_EQ(sequence.bounds(0.05, 100, 0), (Interval{25, 25}));
  EXPECT_EQ(sequence.value(100), 25);
}

TEST(CountSequence, bounds_include_rounds_seen_with_the_property_and_exclude_rounds_seen_without_it) {
  CountSequence sequence(grid(0.001));
  for (int k = 0; k < 10; ++k) sequence.label(k < 3, 0.9);
  EXPECT_GE(sequence.bounds(0.05, 12, 0).low, 3);
  EXPECT_EQ(sequence.bounds(0.05, 12, 0).high, 12 - 7);
}

TEST(CountSequence, a_corrected_label_gives_the_same_bounds_as_the_right_label) {
  CountSequence corrected(grid(0.1));
  CountSequence right(grid(0.1));
  for (CountSequence* sequence : {&corrected, &right}) {
    for (int k = 0; k < 30; ++k) sequence->label(k % 3 == 0, 0.2);
  }
  corrected.label(true, 0.15, 0.3);
  corrected.retract(true, 0.15, 0.3);
  corrected.label(false, 0.15, 0.3);
  right.label(false, 0.15, 0.3);
  EXPECT_EQ(corrected.bounds(0.05, 500, 0), right.bounds(0.05, 500, 0));
  EXPECT_NEAR(corrected.value(500), right.value(500), 1e-9);
}

TEST(CountSequence, a_lost_label_raises_the_upper_bound_and_not_the_lower) {
  CountSequence present(grid(0.1));
  CountSequence absent(grid(0.1));
  CountSequence lost(grid(0.1));
  for (CountSequence* sequence : {&present, &absent, &lost}) {
    for (int k = 0; k < 30; ++k) sequence->label(true, 0.2);
  }
  for (const double chance : {0.15, 1.0}) {
    present.label(true, chance, 0.2);
    absent.label(false, chance, 0.2);
    lost.mark_missing(chance, 0.2);
  }
  const Interval bounds = lost.bounds(0.05, 1000, 0);
  EXPECT_EQ(bounds.high, present.bounds(0.05, 1000, 0).high);
  EXPECT_EQ(bounds.low, absent.bounds(0.05, 1000, 0).low);
  for (const double chance : {0.15, 1.0}) {
    lost.mark_arrived(chance, 0.2);
    lost.label(true, chance, 0.2);
  }
  EXPECT_EQ(lost.bounds(0.05, 1000, 0), present.bounds(0.05, 1000, 0));
}

TEST(CountSequence, uncovered_rounds_raise_the_upper_bound_and_not_the_lower) {
  CountSequence sequence(grid(0.1));
  for (int k = 0; k < 30; ++k) sequence.label(true, 0.2);
  const Interval covered = sequence.bounds(0.05, 1000, 0);
  EXPECT_EQ(sequence.bounds(0.05, 1000, 40), (Interval{covered.low, covered.high + 40}));
  // One uncovered round is asked nevertheless: only this round is known.
  sequence.label(true, 0.01);
  EXPECT_EQ(sequence.bounds(0.05, 1000, 39), (Interval{covered.low + 1, covered.high + 40}));
}

TEST(CountSequence, merged_sequences_of_different_rounds_equal_one_sequence_of_all) {
  CountSequence all(grid(0.1));
  CountSequence one(grid(0.1));
  CountSequence other(grid(0.1));
  for (int k = 0; k < 60; ++k) {
    const double chance = k % 5 == 0 ? 1 : 0.1 + 0.01 * k;
    const double forecast = chance < 1 ? 0.01 * (k % 40) : 0;
    CountSequence& part = k % 2 == 0 ? one : other;
    for (CountSequence* sequence : {&all, &part}) {
      sequence->expect(forecast);
      sequence->label(k % 3 == 0, chance, forecast);
    }
  }
  one.merge(other);
  EXPECT_EQ(one.bounds(0.05, 300, 2), all.bounds(0.05, 300, 2));
  EXPECT_NEAR(one.value(300), all.value(300), 1e-9);
}

TEST(CountSequence, a_snapshot_keeps_every_bit) {
  CountSequence saved(grid(0.1));
  for (int k = 0; k < 60; ++k) {
    saved.expect(0.3);
    saved.label(k % 3 == 0, k % 7 == 0 ? 1 : 0.13, 0.3);
  }
  saved.mark_missing(1);
  Snapshot snapshot;
  SnapshotWriter(snapshot, "")("count", saved);
  CountSequence loaded(grid(0.1));
  SnapshotReader(snapshot, "")("count", loaded);
  Snapshot again;
  SnapshotWriter(again, "")("count", loaded);
  EXPECT_EQ(again, snapshot);
  EXPECT_EQ(loaded.bounds(0.05, 300, 1), saved.bounds(0.05, 300, 1));
}

TEST(CountSequence, sums_of_another_length_are_refused) {
  CountSequence sequence(grid(0.1));
  Snapshot snapshot;
  SnapshotWriter(snapshot, "")("count", sequence);
  SnapshotWriter(snapshot, "count.")("low", std::vector<double>(3, 0.0));
  EXPECT_THROW(SnapshotReader(snapshot, "")("count", sequence), ModelError);
}

// 400 rounds seen with probability 0.1 stand for about 4000, with variance 4000 (1 - 0.1)/0.1.
TEST(CountSequence, bounds_for_all_times_are_less_than_twice_as_wide_as_bounds_for_one_time) {
  CountSequence sequence(grid(0.1));
  for (int k = 0; k < 400; ++k) sequence.label(true, 0.1);
  const Interval bounds = sequence.bounds(0.05, 100000, 0);
  const double half = 1.96 * std::sqrt(4000.0 * 9);
  EXPECT_GT(bounds.low, 4000 - 2 * half);
  EXPECT_LT(bounds.high, 4000 + 2 * half);
  EXPECT_LT(bounds.low, 4000 - half);
  EXPECT_GT(bounds.high, 4000 + half);
}

}  // namespace
}  // namespace askfew
