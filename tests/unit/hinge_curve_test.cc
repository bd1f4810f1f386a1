#include "askfew/theory/hinge_curve.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace askfew {
namespace {

std::vector<double> random_margins(std::uint64_t seed, std::size_t count, double mean) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(mean);
  std::vector<double> margins(count);
  for (double& s : margins) s = normal(random);
  return margins;
}

double naive_loss(const std::vector<double>& margins, double weight, double length) {
  double sum = 0;
  for (const double s : margins) sum += weight * std::max(0.0, 1 - length * s);
  return sum;
}

TEST(HingeCurve, equals_the_sum_of_the_losses_at_every_length) {
  const std::vector<double> margins = random_margins(1, 500, 0.7);
  const HingeCurve curve(margins, 0.1);
  for (const double length : {0.0, 1e-9, 0.3, 1.0, 7.0, 1e6}) {
    EXPECT_NEAR(curve.loss(length), naive_loss(margins, 0.1, length),
                1e-9 * (1 + naive_loss(margins, 0.1, length)))
        << length;
  }
  double squares = 0;
  for (const double s : margins) squares += 0.1 * s * s;
  EXPECT_NEAR(curve.squares(), squares, 1e-9);
  EXPECT_EQ(curve.least(), *std::min_element(margins.begin(), margins.end()));
}

TEST(HingeCurve, is_zero_without_examples) {
  const HingeCurve curve({});
  EXPECT_EQ(curve.loss(3), 0);
  EXPECT_EQ(curve.least(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(curve.minimize([](double length) { return 1 + length; }).value, 1);
}

TEST(HingeCurve, minimize_finds_a_value_no_larger_than_a_fine_grid) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    for (const double mean : {-0.5, 0.0, 0.5, 3.0}) {
      const std::vector<double> margins = random_margins(seed, 200, mean);
      const HingeCurve curve(margins);
      for (const double cost : {0.01, 1.0, 100.0}) {
        const auto value = [&](double length) { return curve.loss(length) + cost * length * length; };
        const HingeCurve::Best best = curve.minimize(value);
        EXPECT_EQ(best.value, value(best.length));
        double least = value(0);
        for (double length = 1e-5; length < 1e5; length *= 1.001) least = std::min(least, value(length));
        EXPECT_LE(best.value, least * (1 + 1e-9)) << "mean " << mean << ", cost " << cost;
      }
    }
  }
}

TEST(HingeCurve, minimize_reaches_the_margin_of_a_separator) {
  const HingeCurve curve({0.004, 1, 2, 3});
  const HingeCurve::Best best =
      curve.minimize([&](double length) { return curve.loss(length) + 1e-9 * length; });
  EXPECT_NEAR(best.length, 250, 0.01);
}

TEST(HingeCurve, minimize_gives_length_0_if_every_other_length_is_worse) {
  const HingeCurve curve({-1, -2});
  EXPECT_EQ(curve.minimize([&](double length) { return curve.loss(length); }).length, 0);
}

}  // namespace
}  // namespace askfew
