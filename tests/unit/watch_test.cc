#include "askfew/metrics/watch.h"

#include <gtest/gtest.h>

#include "askfew/core/coin.h"
#include "askfew/core/errors.h"
#include "askfew/core/snapshot.h"

namespace askfew {
namespace {

/// A stream that changes in the middle: mistakes become many, and margins of one sign.
void run(Watch& watch, std::uint64_t from, std::uint64_t to) {
  Coin coin({.seed = 5});
  for (std::uint64_t t = from + 1; t <= to; ++t) {
    const bool later = t > 3000;
    const bool wrong = coin(3 * t) < (later ? 0.5 : 0.02);
    const double margin = coin(3 * t - 1) - (later ? 0 : 0.5);
    const Label prediction = sgn(margin);
    const Label other = prediction == Label::positive ? Label::negative : Label::positive;
    const bool asked = coin(3 * t - 2) < 0.2;
    watch.add({.prediction = prediction,
               .score = {.margin = margin, .norm = 1},
               .chance = 0.2,
               .truth = asked ? std::optional(wrong ? other : prediction) : std::nullopt});
  }
}

Snapshot saved(const Watch& watch) {
  Snapshot snapshot;
  SnapshotWriter(snapshot, "")("watch", watch);
  return snapshot;
}

TEST(Watch, notices_what_happens_to_mistakes_and_margins) {
  Watch watch(0.2, 1000);
  run(watch, 0, 3000);
  EXPECT_TRUE(watch.changes().empty());
  EXPECT_EQ(watch.estimate().rounds(), 3000);
  EXPECT_LT(watch.estimate().whole().error.interval.high, 0.08);
  run(watch, 3000, 5000);
  ASSERT_EQ(watch.changes().size(), 2);
  EXPECT_EQ(watch.changes()[0].kind, ChangeKind::error_up);
  EXPECT_EQ(watch.changes()[0].since, 3000);
  EXPECT_EQ(watch.changes()[1].kind, ChangeKind::margins);
  EXPECT_EQ(watch.changes()[1].since, 3000);
  EXPECT_GT(watch.estimate().recent().error.interval.low, 0.3);
}

TEST(Watch, a_snapshot_goes_on_bit_for_bit) {
  Watch whole(0.2, 500);
  run(whole, 0, 3700);
  Watch resumed(0.2, 500);
  SnapshotReader(saved(whole), "")("watch", resumed);
  EXPECT_EQ(resumed.changes().size(), whole.changes().size());
  run(whole, 3700, 5000);
  run(resumed, 3700, 5000);
  EXPECT_EQ(saved(resumed), saved(whole));
}

TEST(Watch, rounds_without_an_audit_widen_the_interval) {
  Watch audited(0.2);
  Watch sometimes(0.2);
  run(audited, 0, 1000);
  run(sometimes, 0, 1000);
  for (int k = 0; k < 100; ++k) {
    audited.add({.prediction = Label::negative, .score = {}, .chance = 0.2, .truth = std::nullopt});
    sometimes.add({.prediction = Label::negative, .score = {}, .chance = 0.1, .truth = std::nullopt});
  }
  const Interval covered = audited.estimate().whole().error.interval;
  const Interval uncovered = sometimes.estimate().whole().error.interval;
  EXPECT_EQ(uncovered.low, covered.low);
  EXPECT_NEAR(uncovered.high, covered.high + 100.0 / 1100, 1e-12);
}

TEST(Watch, changes_that_cannot_be_are_refused) {
  Watch watch(0.2);
  for (const std::vector<double>& values :
       {std::vector<double>{0, 1}, {3, 100, 50}, {0, -1, 50}, {0, 1e300, 50}}) {
    Snapshot snapshot = saved(watch);
    SnapshotWriter(snapshot, "watch.")("changes", values);
    EXPECT_THROW(SnapshotReader(snapshot, "")("watch", watch), ModelError);
  }
}

}  // namespace
}  // namespace askfew
