#include "askfew/metrics/learning_curve.h"

#include <cmath>
#include <gtest/gtest.h>

#include "askfew/core/coin.h"
#include "askfew/core/errors.h"
#include "askfew/core/snapshot.h"

namespace askfew {
namespace {

/// A run whose error is the curve's after the labels so far, until `labels` were asked. One round in ten is
/// uncertain: it is asked with probability 0.9, and half of the mistakes are there, or as many as there can
/// be. The others are asked with probability `audit`.
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
    if (coin(3 * t - 2) < chance) curve.label(wrong, chance);
  }
  return curve;
}

TEST(LearningCurve, says_nothing_of_few_labels) {
  LearningCurve curve;
  for (int k = 0; k < 99; ++k) {
    curve.add();
    curve.label(k % 2 == 0, 1);
  }
  EXPECT_FALSE(curve.advice(100));
  curve.add();
  curve.label(true, 1);
  EXPECT_TRUE(curve.advice(100));
}

TEST(LearningCurve, cannot_tell_a_gain_where_there_is_none) {
  int told = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto advice = simulate({.rest = 0.15, .scale = 0}, 500, 0.02, seed).advice(500);
    ASSERT_TRUE(advice);
    EXPECT_GE(advice->gain, 0);
    told += advice->can_tell() ? 1 : 0;
  }
  EXPECT_LE(told, 3);
}

TEST(LearningCurve, tells_a_gain_where_there_is_much) {
  const PowerLaw truth{.rest = 0, .scale = 0.9, .power = 0.4};
  int told = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto advice = simulate(truth, 2000, 0.5, seed).advice(2000);
    told += advice->can_tell() ? 1 : 0;
  }
  EXPECT_GE(told, 15);
}

TEST(LearningCurve, the_interval_holds_the_true_gain_in_nineteen_runs_of_twenty) {
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

TEST(LearningCurve, bins_of_another_number_are_refused) {
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
