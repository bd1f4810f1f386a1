// The synthetic streams agree with the definitions in the papers.

#include <algorithm>
#include <set>

#include "askfew/streams/formats/synthetic/table.h"

#include "tests/unit/synthetic.h"

namespace askfew {
namespace {

using test::complaint;
using test::dot;
using test::expect_share;
using test::is_positive;
using test::made;

TEST(ShiftingGaussian, has_independent_gaussian_features_and_the_teachers_labels) {
  ShiftingGaussian generator({.d = 10, .n = 20'000});
  const Examples all = made(generator);
  ASSERT_EQ(all.size(), 20'000U);
  double sum = 0;
  double squares = 0;
  double products = 0;
  double beyond_two = 0;
  for (std::size_t row = 0; row < all.size(); ++row) {
    const FeatureView x = all.x(row);
    ASSERT_EQ(x.size(), 10U);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double v = x.values()[i];
      sum += v;
      squares += v * v;
      products += v * x.values()[(i + 1) % x.size()];
      beyond_two += std::abs(v) > 2 ? 1 : 0;
    }
    EXPECT_EQ(is_positive(all, row), dot(generator.teacher(row + 1), x) > 0) << row;
  }
  const double n = 200'000;
  EXPECT_NEAR(sum / n, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 4 * std::sqrt(2 / n));  // the variance of a square is 2
  EXPECT_NEAR(products / n, 0, 4 / std::sqrt(n));
  expect_share(beyond_two, n, std::erfc(std::sqrt(2.0)));
}

TEST(ShiftingGaussian, changes_the_teacher_exactly_after_every_switch_rounds) {
  const ShiftingGaussian generator({.d = 5, .n = 50, .switch_after = 7});
  std::set<std::vector<double>> teachers;
  for (std::uint64_t t = 1; t < 50; ++t) {
    teachers.insert(generator.teacher(t));
    EXPECT_EQ(generator.teacher(t) != generator.teacher(t + 1), t % 7 == 0) << t;
  }
  EXPECT_EQ(teachers.size(), 7U);
  double squares = 0;
  const ShiftingGaussian other({.d = 1000, .n = 100, .switch_after = 1});
  for (std::uint64_t t = 1; t <= 100; ++t) squares += FeatureView::sum_of_squares(other.teacher(t));
  EXPECT_NEAR(squares / 100'000, 1, 4 * std::sqrt(2 / 100'000.0));
}

TEST(LinearNoise, has_unit_norms_and_labels_with_the_probability_of_the_model) {
  LinearNoise generator({.d = 8, .n = 40'000});
  const std::vector<double> u = generator.teacher(1);
  EXPECT_NEAR(FeatureView::sum_of_squares(u), 1, 1e-14);
  const Examples all = made(generator);
  constexpr int bins = 10;  // of u.x
  std::vector<double> rounds(bins);
  std::vector<double> positive(bins);
  std::vector<double> expected(bins);
  for (std::size_t row = 0; row < all.size(); ++row) {
    EXPECT_NEAR(all.x(row).squared_norm(), 1, 1e-14);
    const double m = dot(u, all.x(row));
    const auto bin = static_cast<std::size_t>(std::clamp((m + 1) / 2 * bins, 0.0, bins - 1.0));
    ++rounds[bin];
    positive[bin] += is_positive(all, row) ? 1 : 0;
    expected[bin] += (1 + m) / 2;
  }
  for (std::size_t bin = 0; bin < bins; ++bin) {
    ASSERT_GT(rounds[bin], 1000);
    expect_share(positive[bin], rounds[bin], expected[bin] / rounds[bin]);
  }
}

TEST(LinearNoise, has_a_share_of_eps_to_the_alpha_of_instances_within_eps) {
  for (const double alpha : {0.5, 1.0, 3.0}) {
    for (const double reach : {1.0, 0.4}) {
      LinearNoise generator({.d = 4, .n = 20'000, .alpha = alpha, .reach = reach});
      const std::vector<double> u = generator.teacher(1);
      const Examples all = made(generator);
      for (const double eps : {0.3 * reach, 0.6 * reach, 0.9 * reach}) {
        double near = 0;
        double near_and_above = 0;
        for (std::size_t row = 0; row < all.size(); ++row) {
          const double m = dot(u, all.x(row));
          near += std::abs(m) <= eps ? 1 : 0;
          near_and_above += m > 0 && m <= eps ? 1 : 0;
        }
        SCOPED_TRACE(testing::Message() << alpha << " " << reach << " " << eps);
        expect_share(near, 20'000, std::pow(eps / reach, alpha));
        expect_share(near_and_above, near, 0.5);
      }
    }
  }
}

TEST(LinearNoise, has_a_hard_gap_if_alpha_is_infinite) {
  LinearNoise generator({.d = 6, .n = 5000, .alpha = infinity, .reach = 0.2});
  const std::vector<double> u = generator.teacher(1);
  const Examples all = made(generator);
  double positive = 0;
  for (std::size_t row = 0; row < all.size(); ++row) {
    const double m = dot(u, all.x(row));
    EXPECT_NEAR(std::abs(m), 0.2, 1e-14);
    positive += is_positive(all, row) == (m > 0) ? 1 : 0;
  }
  expect_share(positive, 5000, 0.6);
  EXPECT_EQ(complaint("synthetic:linear-noise:alpha=inf"),
            "linear-noise: alpha = inf needs a reach below 1, or all instances are u or -u");
}

TEST(Separable, keeps_the_margin_and_flips_the_given_share_of_labels) {
  for (const double margin : {0.0, 0.1, 0.7, 1.0}) {
    for (const double noise : {0.0, 0.15}) {
      SCOPED_TRACE(testing::Message() << margin << " " << noise);
      // With two features there is only one direction orthogonal to u.
      Separable generator({.d = 2, .n = 10'000, .margin = margin, .noise = noise});
      const std::vector<double> u = generator.teacher(1);
      const Examples all = made(generator);
      double above = 0;
      double turned = 0;
      double beyond_the_middle = 0;
      for (std::size_t row = 0; row < all.size(); ++row) {
        const double m = dot(u, all.x(row));
        EXPECT_NEAR(all.x(row).squared_norm(), 1, 1e-14);
        EXPECT_GE(std::abs(m), margin - 1e-14);
        above += m > 0 ? 1 : 0;
        turned += is_positive(all, row) != (m > 0) ? 1 : 0;
        beyond_the_middle += std::abs(m) > (1 + margin) / 2 ? 1 : 0;
      }
      expect_share(above, 10'000, 0.5);
      expect_share(turned, 10'000, noise);
      if (margin < 1) expect_share(beyond_the_middle, 10'000, 0.5);
    }
  }
}

}  // namespace
}  // namespace askfew
