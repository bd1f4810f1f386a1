#include "askfew/estimates/quality_monitor.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>

#include "askfew/core/coin.h"
#include "askfew/core/errors.h"
#include "askfew/core/snapshot.h"

namespace askfew {
namespace {

Label other(Label y) {
  return y == Label::positive ? Label::negative : Label::positive;
}

/// A round of a stream that changes in the middle: mistakes become frequent, and margins get one sign.
struct Drawn {
  explicit Drawn(std::uint64_t t) {
    Coin coin({.seed = 5});
    const bool later = t > 3000;
    margin = coin(3 * t - 1) - (later ? 0 : 0.5);
    prediction = sgn(margin);
    truth = coin(3 * t) < (later ? 0.5 : 0.02) ? other(prediction) : prediction;
    asked = coin(3 * t - 2) < 0.2;
  }
  double margin;
  Label prediction;
  Label truth;
  bool asked;
};

/// A round whose label was asked with this probability, or was not asked, and has not come yet.
Round round_of(double margin, double chance, bool asked) {
  return {.query = {.score = {.margin = margin, .norm = 1}, .probability = chance, .asked = asked},
          .prediction = number_of(sgn(margin))};
}

void run(QualityMonitor& watch, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t t = from + 1; t <= to; ++t) {
    const Drawn drawn(t);
    Round round = round_of(drawn.margin, 0.2, drawn.asked);
    round.label = number_of(drawn.truth);
    watch.add(round);
  }
}

/// The same stream; labels come `delay` rounds late, except those of every `lost`-th round, which never come.
/// Some labels are wrong at first and corrected later.
void run_late(QualityMonitor& watch, std::uint64_t rounds, std::uint64_t delay, std::uint64_t lost) {
  std::deque<AskedLabel> late;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const Drawn drawn(t);
    watch.add(round_of(drawn.margin, 0.2, drawn.asked));
    if (drawn.asked && t % lost != 0)
      late.push_back({.round = t,
                      .prediction = drawn.prediction,
                      .truth = drawn.truth,
                      .chance = 0.2,
                      .margin = drawn.margin});
    for (; !late.empty() && late.front().round + delay <= t; late.pop_front()) {
      AskedLabel label = late.front();
      if (t % 7 == 0) {
        label.truth = other(label.truth);
        watch.label(label);
        watch.label(late.front(), label.truth);
      } else {
        watch.label(label);
      }
    }
  }
}

constexpr std::uint64_t none = 1'000'000;

Snapshot saved(const QualityMonitor& watch) {
  Snapshot snapshot;
  SnapshotWriter(snapshot, "")("watch", watch);
  return snapshot;
}

TEST(QualityMonitor, detects_changes_of_mistakes_and_of_margins) {
  QualityMonitor watch(0.2, 0, 1000);
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

// With probability 1 - alpha there is no false alarm of either kind: each of the two alarms has half of
// alpha.
TEST(QualityMonitor, the_alarm_for_mistakes_has_half_of_alpha) {
  QualityMonitor watch(0.2, 0, 500);
  run(watch, 0, 1700);
  Snapshot of_watch;
  SnapshotWriter(of_watch, "")("watch", watch);
  const auto state_at = [&](double alpha) {
    ErrorAlarm alarm(0.2, 500, alpha);
    for (std::uint64_t t = 1; t <= 1700; ++t) {
      const Drawn drawn(t);
      alarm.add(drawn.prediction);
      if (drawn.asked)
        alarm.label({.round = t, .prediction = drawn.prediction, .truth = drawn.truth, .chance = 0.2});
      alarm.check();
    }
    Snapshot alone;
    SnapshotWriter(alone, "")("watch.error_alarm", alarm);
    return alone;
  };
  const auto agrees = [&](double alpha) {
    const Snapshot alone = state_at(alpha);
    return std::ranges::all_of(
        alone.tensors, [&](const auto& entry) { return of_watch.tensors.at(entry.first) == entry.second; });
  };
  EXPECT_TRUE(agrees(QualityMonitor::alpha / 2));
  EXPECT_FALSE(agrees(QualityMonitor::alpha));
}

TEST(QualityMonitor, the_alarm_for_margins_has_half_of_alpha) {
  // Windows of 100 margins, half of them positive; in the sixth window fewer are positive. The distance of
  // two windows is then the difference of the shares, whatever the scale. The fifth distance must exceed 0.1
  // + sqrt(ln(e/a)/100) with a = (alpha/2)/(5 6): 0.3844. With all of alpha the limit would be 0.3720.
  const auto notices = [](int fewer) {
    QualityMonitor watch(0.2, 0, 200);
    for (int window = 1; window <= 6; ++window) {
      for (int k = 0; k < 100; ++k) {
        const int positives = window == 6 ? 50 - fewer : 50;
        watch.add(
            {.query = {.score = {.margin = k < positives ? 1.0 : -1.0, .norm = 1}, .probability = 0.2}});
      }
    }
    return watch.changes().size() == 1;
  };
  EXPECT_FALSE(notices(38));
  EXPECT_TRUE(notices(39));
}

TEST(QualityMonitor, late_labels_give_the_same_changes_and_estimates) {
  QualityMonitor at_once(0.2, 0, 1000);
  QualityMonitor later(0.2, 0, 1000);
  run(at_once, 0, 5000);
  run_late(later, 5000, 0, none);
  EXPECT_EQ(later.changes().size(), at_once.changes().size());
  for (std::size_t k = 0; k < later.changes().size(); ++k) {
    EXPECT_EQ(later.changes()[k].kind, at_once.changes()[k].kind);
    EXPECT_EQ(later.changes()[k].since, at_once.changes()[k].since);
  }
  EXPECT_EQ(later.curve().labels(), at_once.curve().labels());
  const Quality expected = at_once.estimate().whole();
  EXPECT_NEAR(later.estimate().whole().error.value, expected.error.value, 1e-12);
  EXPECT_EQ(later.estimate().whole().f1.interval, expected.f1.interval);
  EXPECT_NEAR(later.curve().advice(100)->gain, at_once.curve().advice(100)->gain, 1e-9);
}

TEST(QualityMonitor, detects_mistakes_from_labels_that_come_hundreds_of_rounds_late_or_never) {
  QualityMonitor watch(0.2, 0, 1000);
  run_late(watch, 5000, 400, 10);
  ASSERT_GE(watch.changes().size(), 2);
  const auto up = std::find_if(watch.changes().begin(), watch.changes().end(),
                               [](const Change& change) { return change.kind == ChangeKind::error_up; });
  ASSERT_NE(up, watch.changes().end());
  EXPECT_EQ(up->since, 3000);
  EXPECT_GT(up->round, 3400);
}

TEST(QualityMonitor, labels_that_never_come_do_not_count_as_a_change) {
  QualityMonitor watch(0.2, 0, 1000);
  run(watch, 0, 2900);
  for (int k = 0; k < 5000; ++k)
    watch.add({.query = {.probability = 0.2, .asked = k % 5 == 0}, .prediction = 1});
  for (const Change& change : watch.changes()) EXPECT_EQ(change.kind, ChangeKind::margins);
}

TEST(QualityMonitor, remembers_the_last_changes_and_lists_those_after_a_round) {
  QualityMonitor watch(0.2, 0, 1000);
  run(watch, 0, 3000);
  Snapshot snapshot = saved(watch);
  std::vector<double> values;
  for (std::size_t k = 1; k <= QualityMonitor::max_changes; ++k)
    values.insert(values.end(), {2.0, static_cast<double>(k), 0.0});
  SnapshotWriter(snapshot, "watch.")("changes", values);
  SnapshotReader(snapshot, "")("watch", watch);
  run(watch, 3000, 5000);
  EXPECT_EQ(watch.changes().size(), QualityMonitor::max_changes);
  EXPECT_EQ(watch.changes().front().round, 3);
  EXPECT_EQ(watch.changes_after(3000).size(), 2);
  EXPECT_EQ(watch.changes_after(998).size(), 4);
  EXPECT_TRUE(watch.changes_after(5000).empty());
}

TEST(QualityMonitor, a_snapshot_goes_on_bit_for_bit) {
  QualityMonitor whole(0.2, 0, 500);
  run(whole, 0, 3700);
  QualityMonitor resumed(0.2, 0, 500);
  SnapshotReader(saved(whole), "")("watch", resumed);
  EXPECT_EQ(resumed.changes().size(), whole.changes().size());
  run(whole, 3700, 5000);
  run(resumed, 3700, 5000);
  EXPECT_EQ(saved(resumed), saved(whole));
}

TEST(QualityMonitor, rounds_without_an_audit_widen_the_interval) {
  QualityMonitor watch(0.2);
  run(watch, 0, 1000);
  const Interval before = watch.estimate().whole().error.interval;
  for (int k = 0; k < 100; ++k) watch.add({.query = {.probability = 0.1}});
  const Interval after = watch.estimate().whole().error.interval;
  EXPECT_NEAR(after.low * 1100, before.low * 1000, 1e-9);
  EXPECT_NEAR(after.high * 1100, before.high * 1000 + 100, 1e-9);
}

TEST(QualityMonitor, a_state_with_impossible_changes_is_refused) {
  QualityMonitor watch(0.2);
  for (const std::vector<double>& values :
       {std::vector<double>{0, 1}, {3, 100, 50}, {0, -1, 50}, {0, 1e300, 50}}) {
    Snapshot snapshot = saved(watch);
    SnapshotWriter(snapshot, "watch.")("changes", values);
    EXPECT_THROW(SnapshotReader(snapshot, "")("watch", watch), ModelError);
  }
}

}  // namespace
}  // namespace askfew
