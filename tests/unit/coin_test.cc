#include "askfew/core/coin.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "askfew/linalg/coin_table.h"

#include "tests/unit/instruction_sets.h"

namespace askfew {
namespace {

// Values of numpy 1.24: numpy.random.Generator(numpy.random.Philox(counter=[0,0,0,p],
// key=[s,k])).random(6)[n-1], printed with 17 digits. numpy is a second implementation of the generator; the
// golden tests compare all coins of many runs.
TEST(Coin, equals_numpy) {
  const std::vector<double> ask{0x1.edb31ec618b30p-2, 0x1.72c1e5d4967f1p-1, 0x1.9bae5c02bbd60p-5,
                                0x1.43b6c348a9a9ap-2, 0x1.5c8b1237ef569p-1, 0x1.9002d572e3804p-3};
  const std::vector<double> learner{0x1.aaf0f4372576cp-3, 0x1.13a8cde7c45b1p-1, 0x1.36d8499f089dep-2,
                                    0x1.032e05132b249p-1, 0x1.6798b1a9c6138p-4, 0x1.eccf768c7e716p-2};
  Coin first({.seed = 7, .task = 3});
  Coin second({.seed = 7, .task = 3}, CoinPurpose::learner);
  for (std::uint64_t n = 1; n <= 6; ++n) {
    EXPECT_EQ(first(n), ask[n - 1]);
    EXPECT_EQ(second(n), learner[n - 1]);
  }
}

TEST(CoinTable, has_the_coins_of_each_task) {
  constexpr std::uint64_t large = 0x9123456789ABCDEF;  // all halves of the words matter
  with_every_instruction_set([&](std::int64_t) {
    CoinTable table;
    std::vector<Coin> coins;
    for (std::uint64_t task = 0; task < 35; ++task) {
      const CoinKey key{.seed = 9 + task % 2 * large, .task = (5 + task % 3 * large) * task};
      table.add(key);
      coins.emplace_back(key);
      for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{5}, std::uint64_t{4},
                                    std::uint64_t{3}, std::uint64_t{1000}, large}) {
        const std::span<const double> row = table.row(n);
        ASSERT_EQ(row.size() % CoinTable::at_once, 0U);
        ASSERT_GE(row.size(), coins.size());
        for (std::size_t k = 0; k < coins.size(); ++k) EXPECT_EQ(row[k], coins[k](n));
      }
    }
  });
}

TEST(Coin, is_a_pure_function_of_the_round) {
  Coin forwards({.seed = 1, .task = 2});
  Coin backwards({.seed = 1, .task = 2});
  std::vector<double> coins;
  for (std::uint64_t n = 1; n <= 100; ++n) coins.push_back(forwards(n));
  for (std::uint64_t n = 100; n >= 1; --n) EXPECT_EQ(backwards(n), coins[n - 1]);
}

TEST(Coin, differs_by_seed_task_and_purpose) {
  std::set<double> first;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint64_t task = 0; task < 10; ++task) {
      first.insert(Coin({.seed = seed, .task = task})(1));
      first.insert(Coin({.seed = seed, .task = task}, CoinPurpose::learner)(1));
    }
  }
  EXPECT_EQ(first.size(), 200);
}

// Kolmogorov's statistic of n uniform values stays below 1.95/sqrt(n) with probability 0.999.
TEST(Coin, is_uniform_on_the_half_open_interval) {
  Coin coin({.seed = 42});
  std::vector<double> values;
  for (std::uint64_t n = 1; n <= 100'000; ++n) values.push_back(coin(n));
  std::sort(values.begin(), values.end());
  EXPECT_GE(values.front(), 0);
  EXPECT_LT(values.back(), 1);
  double worst = 0;
  const auto n = static_cast<double>(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    worst = std::max(worst, std::abs(values[k] - static_cast<double>(k) / n));
  }
  EXPECT_LT(worst, 1.95 / std::sqrt(n));
}

}  // namespace
}  // namespace askfew
