#include "askfew/workflows/summary.h"

#include <gtest/gtest.h>

#include "tests/unit/fake_sampler.h"

namespace askfew {
namespace {

/// A run that ended with these tallies, one per task.
Model ended_with(const std::vector<Tally>& tallies) {
  Model model;
  model.config.sampler = parse_preset("sel-p");
  for (const Tally& tally : tallies) {
    model.tasks.push_back(
        {.name = "task", .label = 0, .sampler = std::make_unique<FakeSampler>(tally), .confusion = {}});
  }
  return model;
}

const Tally by_bounds{.round = 1000,
                      .asked = 100,
                      .updates = 10,
                      .expected_asked = 104.5,
                      .expected_slack = 6.25,
                      .spreads = 123};

TEST(Summary, expected_labels_are_an_interval_if_bounds_decided_rounds) {
  const Totals all = summary_of(ended_with({by_bounds})).all;
  EXPECT_EQ(all.expected_asked, 104.5);
  EXPECT_EQ(all.expected_asked_at_least, 98.25);
  EXPECT_EQ(all.spreads, 123);
}

TEST(Summary, totals_are_sums_over_the_tasks) {
  const ModelSummary summary = summary_of(ended_with({by_bounds, by_bounds}));
  ASSERT_EQ(summary.tasks.size(), 2);
  EXPECT_EQ(summary.rounds, 1000);
  EXPECT_EQ(summary.tasks[1].totals.expected_asked, 104.5);
  EXPECT_EQ(summary.tasks[1].totals.expected_asked_at_least, 98.25);
  EXPECT_EQ(summary.tasks[1].totals.spreads, 123);
  EXPECT_EQ(summary.all.rounds, 2000);
  EXPECT_EQ(summary.all.asked, 200);
  EXPECT_EQ(summary.all.expected_asked, 209.0);
  EXPECT_EQ(summary.all.expected_asked_at_least, 196.5);
  EXPECT_EQ(summary.all.spreads, 246);
}

TEST(Summary, without_slack_expected_labels_are_one_number) {
  Tally exact = by_bounds;
  exact.expected_slack = 0;
  const Totals all = summary_of(ended_with({exact})).all;
  EXPECT_EQ(all.expected_asked, all.expected_asked_at_least);
}

TEST(Summary, the_expected_number_of_labels_is_never_negative) {
  Tally rounded = by_bounds;
  rounded.expected_slack = rounded.expected_asked * (1 + 1e-15);
  EXPECT_EQ(summary_of(ended_with({rounded})).all.expected_asked_at_least, 0);
}

}  // namespace
}  // namespace askfew
