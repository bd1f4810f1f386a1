#include "askfew/estimates/learning_curve.h"

#include <cmath>
#include <deque>
#include <gtest/gtest.h>

#include "askfew/core/coin.h"
#include "askfew/core/errors.h"
#include "askfew/core/snapshot.h"

namespace askfew {
namespace {

/// A run whose error follows the curve for the number of labels so far, until `labels` were asked. One round
/// in ten is uncertain: it is asked with probability 0.9, and has half of the mistakes, or as many as
/// possible. The other rounds are asked with probability `audit`.
LearningCurve simulate(const PowerLaw& truth, double labels, double audit, std::uint64_t seed) {
  LearningCurve curve;
  Coin coin({.seed = seed});
  for (std::uint64_t t = 1; curve.labels() < labels; ++t) {
    const double error = truth.error(curve.labels() + 1);
    const double error_uncertain = std::min(1.0, error / 2 / 0.1);
    const double error_certain = (error - 0.1 * error_uncertain) / 0.9;
    const bool uncertain = coin(3 * t) < 0.1;
    const bool wrong = coin(3 * t - 1) < (uncertain ? error_uncertain : error_certain);
    const double chance = uncertain ? 0.9 : audit;
    curve.add();
    if (coin(3 * t - 2) < chance) curve.label({.wrong = wrong, .chance = chance});
  }
  return curve;
}

TEST(LearningCurve, gives_no_advice_from_few_labels) {
  LearningCurve curve;
  for (int k = 0; k < 99; ++k) {
    curve.add();
    curve.label({.wrong = k % 2 == 0});
  }
  EXPECT_FALSE(curve.advice(100));
  curve.add();
  curve.label({.wrong = true});
  EXPECT_TRUE(curve.advice(100));
}

TEST(LearningCurve, rarely_claims_a_gain_if_there_is_none) {
  int told = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto advice = simulate({.rest = 0.15, .scale = 0}, 500, 0.02, seed).advice(500);
    ASSERT_TRUE(advice);
    EXPECT_GE(advice->gain, 0);
    told += advice->can_tell() ? 1 : 0;
  }
  EXPECT_LE(told, 3);
}

TEST(LearningCurve, claims_a_gain_if_it_is_large) {
  const PowerLaw truth{.rest = 0, .scale = 0.9, .power = 0.4};
  int told = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto advice = simulate(truth, 2000, 0.5, seed).advice(2000);
    told += advice->can_tell() ? 1 : 0;
  }
  EXPECT_GE(told, 15);
}

TEST(LearningCurve, the_interval_contains_the_true_gain_in_nineteen_runs_of_twenty) {
  for (const PowerLaw& truth :
       {PowerLaw{.rest = 0.05, .scale = 0.8, .power = 0.5}, PowerLaw{.rest = 0.1, .scale = 0.9, .power = 1},
        PowerLaw{.rest = 0, .scale = 0.6, .power = 0.3}}) {
    int held = 0;
    constexpr int runs = 40;
    for (std::uint64_t seed = 0; seed < runs; ++seed) {
      const LearningCurve curve = simulate(truth, 400, 0.05, seed);
      const Interval interval = curve.advice(400)->interval;
      const double gain = truth.gain(curve.labels(), 400);
      held += interval.low <= gain && gain <= interval.high ? 1 : 0;
    }
    EXPECT_GE(held, runs * 19 / 20) << truth.power;
  }
}

/// The same run, with labels `delay` rounds late; labels for which `comes` is false never come.
template <class Comes>
LearningCurve simulate_late(const PowerLaw& truth, double labels, std::uint64_t delay, std::uint64_t seed,
                            Comes&& comes) {
  LearningCurve curve;
  Coin coin({.seed = seed});
  std::deque<std::pair<std::uint64_t, LearningCurve::Asked>> late;
  for (std::uint64_t t = 1; curve.labels() < labels; ++t) {
    const LearningCurve::Asked asked{.wrong = coin(2 * t) < truth.error(curve.labels() + 1), .chance = 0.3};
    curve.add();
    if (coin(2 * t - 1) < asked.chance) {
      curve.mark_missing(asked);
      if (comes(t)) late.emplace_back(t, asked);
    }
    while (!late.empty() && late.front().first + delay <= t) {
      auto [round, came] = late.front();
      late.pop_front();
      came.ago = t - round;
      curve.mark_arrived(came);
      curve.label(came);
    }
  }
  return curve;
}

TEST(LearningCurve, late_and_lost_labels_count_for_the_rounds_in_which_they_were_asked) {
  const PowerLaw truth{.rest = 0.05, .scale = 0.8, .power = 0.5};
  for (const std::uint64_t delay : {0U, 200U, 1000U}) {
    int held = 0;
    double told = 0;
    constexpr int runs = 20;
    for (std::uint64_t seed = 0; seed < runs; ++seed) {
      const LearningCurve curve =
          simulate_late(truth, 500, delay, seed, [](std::uint64_t t) { return t % 3 > 0; });
      const auto advice = curve.advice(500);
      ASSERT_TRUE(advice);
      const double gain = truth.gain(curve.labels(), 500);
      held += advice->interval.low <= gain && gain <= advice->interval.high ? 1 : 0;
      told += advice->curve.error(400) / runs;
    }
    EXPECT_GE(held, runs - 2) << delay;
    EXPECT_NEAR(told, truth.error(400), 0.015) << delay;  // a third less if lost labels counted as right
  }
}

TEST(LearningCurve, labels_that_come_together_at_the_end_of_a_day_count_before_the_next_day) {
  const PowerLaw truth{.rest = 0, .scale = 1, .power = 0.5};
  LearningCurve curve;
  Coin coin({.seed = 1});
  for (std::uint64_t day = 0; day < 40; ++day) {
    const double error = truth.error(std::max(1.0, curve.labels()));
    for (std::uint64_t t = 0; t < 1000; ++t) curve.add();
    std::vector<LearningCurve::Asked> asked;
    for (std::uint64_t t = 0; t < 50; ++t) {  // 50 rounds, one in twenty of them asked
      asked.push_back({.wrong = coin(day * 50 + t + 1) < error, .chance = 0.05, .ago = 20 * t});
      curve.mark_missing(asked.back());
    }
    for (const LearningCurve::Asked& label : asked) {
      curve.mark_arrived(label);
      curve.label(label);
    }
  }
  EXPECT_EQ(curve.labels(), 2000);
  const auto advice = curve.advice(2000);
  ASSERT_TRUE(advice);
  EXPECT_LE(advice->interval.low, truth.gain(2000, 2000));
  EXPECT_GE(advice->interval.high, truth.gain(2000, 2000));
}

TEST(LearningCurve, a_correction_does_not_count_as_another_label) {
  LearningCurve curve;
  LearningCurve other;
  for (int k = 0; k < 300; ++k) {
    curve.add();
    other.add();
    curve.label({.wrong = k % 3 == 0, .chance = 0.5});
    other.label({.wrong = true, .chance = 0.5});
  }
  for (std::uint64_t k = 0; k < 300; ++k) {
    other.retract({.wrong = true, .chance = 0.5, .ago = 299 - k});
    other.label({.wrong = k % 3 == 0, .chance = 0.5, .ago = 299 - k});
  }
  EXPECT_EQ(other.labels(), 300);
  EXPECT_NEAR(other.advice(300)->interval.high, curve.advice(300)->interval.high, 1e-9);
}

TEST(LearningCurve, a_snapshot_keeps_every_bit) {
  const LearningCurve curve = simulate({.rest = 0.05, .scale = 0.8}, 300, 0.05, 1);
  Snapshot snapshot;
  SnapshotWriter(snapshot, "")("curve", curve);
  LearningCurve loaded;
  SnapshotReader(snapshot, "")("curve", loaded);
  EXPECT_EQ(loaded.advice(300)->interval, curve.advice(300)->interval);
  Snapshot again;
  SnapshotWriter(again, "")("curve", loaded);
  EXPECT_EQ(again, snapshot);
}

TEST(LearningCurve, a_state_with_another_number_of_bins_is_refused) {
  LearningCurve curve;
  Snapshot snapshot;
  SnapshotWriter(snapshot, "")("curve", curve);
  for (const std::size_t size : {std::size_t{0}, std::size_t{4}, std::size_t{3 * 81}}) {
    SnapshotWriter(snapshot, "curve.")("bins", std::vector<double>(size, 1.0));
    EXPECT_THROW(SnapshotReader(snapshot, "")("curve", curve), ModelError);
  }
}

}  // namespace
}  // namespace askfew
