#include "askfew/linalg/toss_table.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

#include "tests/unit/instruction_sets.h"

namespace askfew {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// One task, decided round by round.
struct Alone {
  Coin coin;
  double b = 1;
  double sum = 0;
  TossTable::Counts counts{};
  std::vector<double> margins{};
  std::vector<double> weights{};

  [[nodiscard]] double probability(double margin) const { return b / (b + std::abs(margin)); }
  bool toss(std::uint64_t n, double margin) { return coin(n) < probability(margin); }
  void keep(std::uint64_t n, double margin, bool label) {
    const bool asked = toss(n, margin);
    const double weight = (label ? 1 : -1) / probability(margin);
    sum += probability(margin);
    counts.asked += asked ? 1 : 0;
    counts.true_positives += margin > 0 && label ? 1 : 0;
    counts.false_positives += margin > 0 && !label ? 1 : 0;
    counts.false_negatives += margin <= 0 && label ? 1 : 0;
    if (!asked || !std::isfinite(weight)) return;
    margins.push_back(margin);
    weights.push_back(weight);
  }
};

/// Compares what a table has kept with the tasks alone, and forgets it.
void expect_equal_counts(TossTable& table, std::vector<Alone>& alone) {
  table.close();
  for (std::size_t k = 0; k < alone.size(); ++k) {
    Alone& task = alone[k];
    std::vector<double> margins;
    std::vector<double> weights;
    for (std::size_t round = 0; round < table.kept(); ++round) {
      if ((table.labelled(k) >> round & 1) == 0) continue;
      margins.push_back(table.margins(k)[round]);
      weights.push_back(table.weights(k)[round]);
    }
    EXPECT_EQ(margins, task.margins);
    EXPECT_EQ(weights, task.weights);
    EXPECT_EQ(table.sum(k), task.sum);
    EXPECT_EQ(table.counts(k).asked, task.counts.asked);
    EXPECT_EQ(table.counts(k).true_positives, task.counts.true_positives);
    EXPECT_EQ(table.counts(k).false_positives, task.counts.false_positives);
    EXPECT_EQ(table.counts(k).false_negatives, task.counts.false_negatives);
    task.margins.clear();
    task.weights.clear();
  }
  table.clear();
}

void expect_equal_rounds(std::uint64_t seed, std::size_t tasks) {
  std::mt19937_64 random(seed);
  const std::vector<double> numbers{0, -0.0, 1, -1, 0.25, -3, 1e-310, 1e300, -1e300, 1e10, -0.01};
  TossTable table;
  std::vector<Alone> alone;
  for (std::size_t k = 0; k < tasks; ++k) {
    const CoinKey key{.seed = 3, .task = k};
    table.add(key);
    alone.push_back({.coin = Coin(key), .b = k % 3 == 0 ? 1e-309 : 0.5});
  }
  table.reset();
  for (std::size_t k = 0; k < tasks; ++k) table.set(k, alone[k].b, 0);
  const std::size_t width = (tasks + 7) / 8 * 8;
  AlignedVector<double> margins(width);
  for (std::uint64_t n = 1; n <= 100; ++n) {
    for (double& margin : margins) margin = numbers[random() % numbers.size()];
    const std::uint64_t labels = random() >> (64 - tasks);
    TossBits toss = table.toss(n, margins, ~labels);  // not kept: the next decision replaces it
    toss = table.toss(n, margins, labels);
    EXPECT_TRUE(toss.is_finite);
    for (std::size_t k = 0; k < tasks; ++k) {
      EXPECT_EQ(table.probability(k), alone[k].probability(margins[k]));
      EXPECT_EQ(toss.asked >> k & 1, alone[k].toss(n, margins[k]) ? 1U : 0U);
      EXPECT_EQ(toss.positive >> k & 1, margins[k] > 0 ? 1U : 0U);
      alone[k].keep(n, margins[k], (labels >> k & 1) != 0);
    }
    table.keep();
    if (table.kept() == TossTable::max_kept || n == 100) expect_equal_counts(table, alone);
  }
}

TEST(TossTable, decides_and_counts_as_each_task_alone) {
  with_every_instruction_set([&](std::int64_t) {
    for (const std::size_t tasks : {1U, 7U, 8U, 9U, 33U, 64U}) expect_equal_rounds(tasks, tasks);
  });
}

TEST(TossTable, tells_that_a_margin_is_not_finite) {
  with_every_instruction_set([&](std::int64_t) {
    for (const double number : {infinity, -infinity, std::nan("")}) {
      TossTable table;
      for (std::uint64_t k = 0; k < 11; ++k) table.add({.seed = 1, .task = k});
      table.reset();
      AlignedVector<double> margins(16);
      EXPECT_TRUE(table.toss(1, margins, 0).is_finite);
      margins[10] = number;
      EXPECT_FALSE(table.toss(1, margins, 0).is_finite);
    }
  });
}

}  // namespace
}  // namespace askfew
