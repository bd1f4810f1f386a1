#include "askfew/spending/level_of_mean.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace askfew {
namespace {

/// The same by bisection alone.
template <class MeanAt>
std::optional<double> by_bisection(double rate, MeanAt&& mean_at) {
  double low = -max_level;
  double high = max_level;
  if (mean_at(low) >= rate || mean_at(high) <= rate) return std::nullopt;
  for (int k = 0; k < 16; ++k) {
    const double middle = (low + high) / 2;
    (mean_at(middle) < rate ? low : high) = middle;
  }
  return (low + high) / 2;
}

std::vector<double> margins(std::size_t size, bool some_are_equal) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::vector<double> numbers(size);
  for (double& number : numbers) {
    number = std::abs(normal(random));
    if (some_are_equal) number = std::round(2 * number);
  }
  return numbers;
}

TEST(LevelOfMean, is_that_of_bisection_whatever_the_guess) {
  for (const std::size_t size : {1U, 16U, 512U}) {
    for (const bool some_are_equal : {false, true}) {
      const std::vector<double> numbers = margins(size, some_are_equal);
      const auto mean_of = [&](double level, auto&& probability) {
        double sum = 0;
        for (const double margin : numbers) sum += probability(std::exp(level), margin);
        return sum / static_cast<double>(size);
      };
      const auto smooth = [&](double level) {
        return mean_of(level, [](double b, double margin) { return b / (b + margin); });
      };
      const auto jumping = [&](double level) {
        return mean_of(level, [](double b, double margin) { return margin <= b ? 1.0 : 0.0; });
      };
      for (const double rate : {1e-9, 0.01, 0.05, 0.25, 0.5, 0.999}) {
        for (const double guess : {-1e9, -300.0, -20.0, -3.1, -0.5, 0.0, 0.02, 4.0, 299.9, 300.0, 1e9}) {
          EXPECT_EQ(level_of_mean(rate, guess, smooth), by_bisection(rate, smooth)) << rate << ", " << guess;
          EXPECT_EQ(level_of_mean(rate, guess, jumping), by_bisection(rate, jumping))
              << rate << ", " << guess;
        }
      }
    }
  }
}

TEST(LevelOfMean, is_nothing_if_all_means_are_on_one_side) {
  for (const double guess : {-300.0, 0.0, 300.0}) {
    EXPECT_EQ(level_of_mean(0.5, guess, [](double) { return 0.5; }), std::nullopt);
    EXPECT_EQ(level_of_mean(0.5, guess, [](double) { return 0.1; }), std::nullopt);
    EXPECT_EQ(level_of_mean(0.5, guess, [](double) { return 0.9; }), std::nullopt);
  }
}

TEST(LevelOfMean, needs_few_means_near_the_guess) {
  const std::vector<double> numbers = margins(512, false);
  int computed = 0;
  const auto mean_at = [&](double level) {
    ++computed;
    double sum = 0;
    for (const double margin : numbers) sum += std::exp(level) / (std::exp(level) + margin);
    return sum / 512;
  };
  const double level = level_of_mean(0.05, 0, mean_at).value();
  for (const double away : {-0.4, -0.1, 0.0, 0.1, 0.4}) {
    computed = 0;
    EXPECT_EQ(level_of_mean(0.05, level + away, mean_at), level);
    EXPECT_LE(computed, 7) << away;
  }
}

}  // namespace
}  // namespace askfew
