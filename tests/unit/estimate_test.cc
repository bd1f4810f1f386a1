#include "askfew/estimates/estimate.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "askfew/core/coin.h"
#include "askfew/core/snapshot.h"
#include "askfew/estimates/confusion.h"

namespace askfew {
namespace {

/// Synthetic rounds: one in five is positive, and one prediction in eight is wrong, more often if the
/// prediction is uncertain, and still more often after an asked label, so that predictions depend on past
/// coins.
class Rounds {
 public:
  explicit Rounds(std::uint64_t seed) : coin_({.seed = seed}) {}

  struct Round {
    AskedLabel label;
    bool asked;
  };
  Round next(double audit) {
    const Label truth = flip(0.2) ? Label::positive : Label::negative;
    const bool uncertain = flip(0.1);
    const bool wrong = flip((uncertain ? 0.4 : 0.1) + (learned_ ? 0.1 : 0));
    const Label opposite = truth == Label::positive ? Label::negative : Label::positive;
    const double probability = uncertain ? 0.5 : 0;
    const double chance = probability + (1 - probability) * audit;
    const bool asked = flip(chance);
    learned_ = asked && wrong;
    return {.label = {.round = ++round_,
                      .prediction = wrong ? opposite : truth,
                      .truth = truth,
                      .chance = chance},
            .asked = asked};
  }

 private:
  bool flip(double chance) { return coin_(++drawn_) < chance; }

  Coin coin_;
  std::uint64_t drawn_ = 0;
  std::uint64_t round_ = 0;
  bool learned_ = false;
};

void feed(Estimate& estimate, const Rounds::Round& round) {
  estimate.add({.prediction = round.label.prediction, .chance = round.label.chance, .asked = round.asked});
  if (round.asked) estimate.label(round.label);
}

bool holds(const Estimated& figure, double truth) {
  return figure.interval.low <= truth + 1e-12 && truth <= figure.interval.high + 1e-12;
}

TEST(Estimate, the_estimate_is_exact_if_every_label_is_asked_with_probability_1) {
  Estimate estimate(1, 50);
  Confusion truth;
  Rounds rounds(1);
  for (int k = 0; k < 40; ++k) {
    const Rounds::Round round = rounds.next(1);
    feed(estimate, round);
    truth.add(round.label.prediction, round.label.truth);
  }
  for (const Quality& quality : {estimate.whole(), estimate.recent()}) {
    for (const auto& [figure, exact] : {std::pair{quality.error, 1 - truth.accuracy()},
                                        {quality.accuracy, truth.accuracy()},
                                        {quality.precision, truth.precision()},
                                        {quality.recall, truth.recall()},
                                        {quality.f1, truth.f1()}}) {
      EXPECT_NEAR(figure.value, exact, 1e-12);
      EXPECT_NEAR(figure.interval.low, exact, 1e-12);
      EXPECT_NEAR(figure.interval.high, exact, 1e-12);
    }
  }
}

TEST(Estimate, before_the_first_round_figures_are_zero_and_their_intervals_contain_everything) {
  const Quality quality = Estimate(0.1).whole();
  EXPECT_EQ(quality.rounds, 0);
  for (const Estimated& figure :
       {quality.error, quality.accuracy, quality.precision, quality.recall, quality.f1}) {
    EXPECT_EQ(figure.value, 0);
    EXPECT_EQ(figure.interval, (Interval{0, 1}));
  }
}

TEST(Estimate, without_a_positive_prediction_f_is_unknown_until_a_positive_was_missed) {
  Estimate estimate(0.1);
  const auto add = [&](std::uint64_t round, Label truth) {
    estimate.add({.prediction = Label::negative, .chance = 1, .asked = true});
    estimate.label({.round = round, .prediction = Label::negative, .truth = truth, .chance = 1});
  };
  for (std::uint64_t round = 1; round <= 50; ++round) add(round, Label::negative);
  const Quality none = estimate.whole();
  EXPECT_LT(none.error.interval.high, 0.1);
  for (const Estimated& figure : {none.precision, none.recall, none.f1}) {
    EXPECT_EQ(figure.value, 0);
    EXPECT_EQ(figure.interval, (Interval{0, 1}));
  }
  add(51, Label::positive);
  const Quality missed = estimate.whole();
  EXPECT_EQ(missed.precision.interval, (Interval{0, 1})) << "of no prediction";
  for (const Estimated& figure : {missed.recall, missed.f1}) EXPECT_EQ(figure.interval, (Interval{0, 0}));
}

TEST(Estimate, the_recent_window_is_one_to_two_windows_long) {
  Estimate estimate(1, 10);
  std::vector<AskedLabel> labels;
  Rounds rounds(2);
  for (std::uint64_t k = 1; k <= 45; ++k) {
    const Rounds::Round round = rounds.next(1);
    feed(estimate, round);
    labels.push_back(round.label);
    const std::uint64_t length = k <= 20 ? k : 10 + (k - 1) % 10 + 1;
    Confusion truth;
    for (auto label = labels.end() - static_cast<std::ptrdiff_t>(length); label != labels.end(); ++label) {
      truth.add(label->prediction, label->truth);
    }
    ASSERT_EQ(estimate.recent().rounds, length) << k;
    ASSERT_NEAR(estimate.recent().f1.value, truth.f1(), 1e-12) << k;
  }
}

TEST(Estimate, in_a_long_run_the_recent_window_is_the_last_fifth_to_36_percent) {
  Estimate estimate(0.5, 10);
  for (std::uint64_t k = 1; k <= 20'000; ++k) {
    estimate.add({.chance = 0.5});
    if (k < 100) continue;
    const auto share = static_cast<double>(estimate.recent().rounds) / static_cast<double>(k);
    ASSERT_GE(share, 0.19) << k;
    ASSERT_LE(share, 0.37) << k;
  }
}

TEST(Estimate, after_400000_rounds_the_recent_interval_is_at_most_twice_as_wide_as_that_of_a_fresh_audit) {
  constexpr double audit = 0.01;
  Estimate estimate(audit, 2'000);
  std::vector<Rounds::Round> all;
  Rounds rounds(8);
  for (int k = 0; k < 400'000; ++k) {
    all.push_back(rounds.next(audit));
    feed(estimate, all.back());
  }
  const Quality recent = estimate.recent();
  Estimate fresh(audit, 400'000);
  for (auto round = all.end() - static_cast<std::ptrdiff_t>(recent.rounds); round != all.end(); ++round) {
    Rounds::Round again = *round;
    again.label.round = fresh.rounds() + 1;
    feed(fresh, again);
  }
  const auto width = [](const Estimated& figure) { return figure.interval.high - figure.interval.low; };
  EXPECT_LE(width(recent.error), 2 * width(fresh.whole().error));
  EXPECT_LE(width(recent.f1), 2 * width(fresh.whole().f1));
}

TEST(Estimate, f_in_one_piece_is_narrower_than_the_range_of_bounds_that_share_the_level) {
  const auto grid = std::make_shared<const CountGrid>(0.05);
  Rounds rounds(9);
  Estimate estimate(0.05, 100'000);
  CountSequence fp(grid);
  CountSequence fn(grid);
  CountSequence sum(grid);
  std::uint64_t positives = 0;
  constexpr std::uint64_t length = 20'000;
  for (std::uint64_t k = 0; k < length; ++k) {
    const Rounds::Round round = rounds.next(0.05);
    feed(estimate, round);
    const bool positive = round.label.prediction == Label::positive;
    positives += positive ? 1 : 0;
    if (!round.asked) continue;
    const bool wrong = round.label.prediction != round.label.truth;
    (positive ? fp : fn).label(wrong, round.label.chance);
    sum.label(wrong, round.label.chance);
  }
  // As it was: FP and FN with a quarter of the level each, their sum with half.
  const Interval of_fp = fp.bounds(0.05 / 4, positives, 0);
  const Interval of_fn = fn.bounds(0.05 / 4, length - positives, 0);
  const Interval of_sum = sum.bounds(0.05 / 2, length, 0);
  const auto p = static_cast<double>(positives);
  const auto f1 = [&](double wrong, double missed) { return 2 * (p - wrong) / (2 * p - wrong + missed); };
  double least = 1;
  double most = 0;
  for (double wrong = of_fp.low; wrong <= of_fp.high; ++wrong) {
    least = std::min(least, f1(wrong, std::min(of_fn.high, of_sum.high - wrong)));
    most = std::max(most, f1(wrong, std::max(of_fn.low, of_sum.low - wrong)));
  }
  const Interval found = estimate.whole().f1.interval;
  EXPECT_LT(found.high - found.low, 0.9 * (most - least));
}

TEST(Estimate, a_late_label_counts_in_the_window_of_its_round) {
  Estimate late(0.5, 10);
  Estimate prompt(0.5, 10);
  Rounds rounds(3);
  std::vector<AskedLabel> waiting;
  for (int k = 0; k < 47; ++k) {
    const Rounds::Round round = rounds.next(0.5);
    feed(prompt, round);
    late.add({.prediction = round.label.prediction, .chance = round.label.chance, .asked = round.asked});
    if (!round.asked) continue;
    late.mark_missing(round.label);
    waiting.push_back(round.label);
  }
  const Quality without = late.whole();
  EXPECT_LE(without.error.interval.low, prompt.whole().error.interval.low);
  EXPECT_GE(without.error.interval.high, prompt.whole().error.interval.high);
  for (const AskedLabel& label : waiting) {
    late.mark_arrived(label);
    late.label(label);
  }
  EXPECT_EQ(late.whole().f1.interval, prompt.whole().f1.interval);
  EXPECT_EQ(late.recent().f1.interval, prompt.recent().f1.interval);
  EXPECT_EQ(late.recent().error.interval, prompt.recent().error.interval);
}

TEST(Estimate, a_corrected_label_gives_the_same_estimate_as_the_right_label) {
  Estimate corrected(0.1, 100);
  Estimate right(0.1, 100);
  Rounds rounds(4);
  for (int k = 0; k < 150; ++k) {
    const Rounds::Round round = rounds.next(0.3);
    feed(right, round);
    corrected.add({.prediction = round.label.prediction, .chance = round.label.chance, .asked = round.asked});
    if (!round.asked) continue;
    AskedLabel mistaken = round.label;
    mistaken.truth = round.label.truth == Label::positive ? Label::negative : Label::positive;
    corrected.label(mistaken);
    corrected.retract(mistaken);
    corrected.label(round.label);
  }
  EXPECT_EQ(corrected.whole().f1.interval, right.whole().f1.interval);
  EXPECT_EQ(corrected.recent().error.interval, right.recent().error.interval);
}

// The promise, tested by simulation: the bounds of each figure hold at all times in 19 of 20 runs. They are
// made for all times up to infinity and so hold more often; if coins were treated wrongly, they would not
// hold.
TEST(Estimate, intervals_contain_the_truth_at_all_times_of_a_run) {
  constexpr int runs = 150;
  constexpr int length = 1000;
  std::array<int, 6> failures{};
  double width = 0;
  for (int run = 0; run < runs; ++run) {
    Estimate estimate(0.05, 300);
    Confusion truth;
    std::vector<AskedLabel> labels;
    Rounds rounds(100 + static_cast<std::uint64_t>(run));
    std::array<bool, 6> failed{};
    for (int k = 1; k <= length; ++k) {
      const Rounds::Round round = rounds.next(0.05);
      feed(estimate, round);
      truth.add(round.label.prediction, round.label.truth);
      labels.push_back(round.label);
      if (k % 20 != 0) continue;
      const Quality whole = estimate.whole();
      const Quality recent = estimate.recent();
      Confusion last;
      for (auto label = labels.end() - static_cast<std::ptrdiff_t>(recent.rounds); label != labels.end();
           ++label) {
        last.add(label->prediction, label->truth);
      }
      failed[0] |= !holds(whole.error, 1 - truth.accuracy());
      failed[1] |= !holds(whole.precision, truth.precision());
      failed[2] |= !holds(whole.recall, truth.recall());
      failed[3] |= !holds(whole.f1, truth.f1());
      failed[4] |= !holds(recent.error, 1 - last.accuracy());
      failed[5] |= !holds(recent.f1, last.f1());
    }
    for (std::size_t k = 0; k < failed.size(); ++k) failures[k] += failed[k] ? 1 : 0;
    const Interval error = estimate.whole().error.interval;
    width += (error.high - error.low) / runs;
  }
  for (const int failure : failures) EXPECT_LE(failure, runs / 20);
  EXPECT_LT(width, 0.3);  // otherwise the intervals would be useless
}

TEST(Estimate, the_estimate_is_unbiased_and_its_deviation_is_smaller_than_its_interval) {
  double mean = 0;
  double truth_mean = 0;
  constexpr int runs = 100;
  for (int run = 0; run < runs; ++run) {
    Estimate estimate(0.05);
    Confusion truth;
    Rounds rounds(1000 + static_cast<std::uint64_t>(run));
    for (int k = 0; k < 1000; ++k) {
      const Rounds::Round round = rounds.next(0.05);
      feed(estimate, round);
      truth.add(round.label.prediction, round.label.truth);
    }
    mean += estimate.whole().error.value / runs;
    truth_mean += (1 - truth.accuracy()) / runs;
  }
  // About 45 audits and 52 other labels per run: a standard deviation of 0.045, and a tenth of that for the
  // mean.
  EXPECT_NEAR(mean, truth_mean, 0.015);
}

TEST(Estimate, a_snapshot_goes_on_bit_for_bit) {
  Estimate whole(0.05, 30);
  Estimate half(0.05, 30);
  Rounds rounds(5);
  for (int k = 0; k < 100; ++k) {
    const Rounds::Round round = rounds.next(0.05);
    feed(whole, round);
    feed(half, round);
  }
  Snapshot snapshot;
  SnapshotWriter(snapshot, "")("estimate", half);
  Estimate resumed(0.05, 30);
  SnapshotReader(snapshot, "")("estimate", resumed);
  for (int k = 0; k < 100; ++k) {
    const Rounds::Round round = rounds.next(0.05);
    feed(whole, round);
    feed(resumed, round);
  }
  Snapshot expected;
  Snapshot got;
  SnapshotWriter(expected, "")("estimate", whole);
  SnapshotWriter(got, "")("estimate", resumed);
  EXPECT_EQ(got, expected);
}

}  // namespace
}  // namespace askfew
