// Cesa-Bianchi, Gentile, Zaniboni, "Worst-case analysis of selective sampling for linear classification"
// (2006): over fixed seeds, mean mistakes minus 4 standard errors stay under the bound, and the number of
// asked labels agrees with the sum of their probabilities. The bounds hold for every stream; these streams
// have a known comparator, so that the bounds are close to the mistakes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "askfew/theory/bounds.h"

#include "tests/theorems/repeated_runs.h"

namespace askfew {
namespace {

constexpr int seeds = 60;

struct Case {
  double margin;  ///< 0: the teacher does not separate with a margin
  double noise;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << "margin " << c.margin << ", noise " << c.noise;
}

class Theorem : public testing::TestWithParam<Case> {
 protected:
  static constexpr std::size_t dimension = 20;

  void expect_under(const test::Repeated& runs, double bound) {
    EXPECT_LE(runs.mistakes.mean - 4 * runs.mistakes.standard_error, bound);
    EXPECT_LE(std::abs(runs.surprise.mean), 4 * runs.surprise.standard_error + 1e-9);
    RecordProperty("mean_mistakes", fmt::format("{:.2f}", runs.mistakes.mean));
    RecordProperty("bound", fmt::format("{:.2f}", bound));
  }

  std::mt19937_64 random_{17};
  std::vector<double> u_ = test::random_teacher(random_, dimension);
  test::Stream stream_ = test::teacher_stream(7, 800, u_, dimension, GetParam().margin, GetParam().noise);
  double gamma_ = std::max(0.1, GetParam().margin);
};

class Theorem1 : public Theorem {};
class Theorem2 : public Theorem {};

TEST_P(Theorem1, bounds_the_mistakes_of_the_selective_perceptron) {
  for (const double b : {0.1, 0.5, 2.0}) {
    const auto runs = test::run_repeatedly(test::config_of("perceptron", fmt::format("margin:b={}", b)), {},
                                           stream_, u_, gamma_, seeds);
    expect_under(runs, selective_perceptron_bound(
                           {.norm = 1, .gamma = gamma_, .loss = runs.update_loss.mean, .longest = 1}, b));
  }
}

TEST_P(Theorem2, bounds_the_mistakes_of_the_adaptive_perceptron) {
  for (const double beta : {0.1, 1.0}) {
    const auto runs = test::run_repeatedly(
        test::config_of("perceptron", fmt::format("adaptive:beta={}", beta)), {}, stream_, u_, gamma_, seeds);
    expect_under(runs, adaptive_perceptron_bound(
                           {.norm = 1, .gamma = gamma_, .loss = runs.update_loss.mean, .longest = 1}, beta));
  }
}

INSTANTIATE_TEST_SUITE_P(Streams, Theorem1, testing::Values(Case{0.2, 0}, Case{0.1, 0.05}, Case{0, 0.1}));
INSTANTIATE_TEST_SUITE_P(Streams, Theorem2, testing::Values(Case{0.2, 0}, Case{0.1, 0.05}, Case{0, 0.1}));

/// Instances in {-1, 1}^d and a comparator in the simplex on three features: a majority vote.
class Theorem4 : public testing::TestWithParam<double> {};

TEST_P(Theorem4, bounds_the_mistakes_of_selective_winnow) {
  constexpr std::size_t dimension = 100;
  constexpr double gamma = 1.0 / 3;  // a majority of three votes is at least 1/3 away from 0
  std::vector<double> u(dimension, 0.0);
  u[3] = u[40] = u[77] = 1.0 / 3;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform;
  test::Stream stream;
  for (int t = 0; t < 600; ++t) {
    test::SparseExample example;
    for (FeatureView::Index i = 0; i < dimension; ++i) {
      example.indices.push_back(i);
      example.values.push_back(uniform(random) < 0.5 ? -1 : 1);
    }
    const bool turned = uniform(random) < GetParam();
    example.y = (test::dot(u, example) > 0) != turned ? Label::positive : Label::negative;
    stream.push_back(std::move(example));
  }
  for (const double alpha : {0.3, 0.5, 0.7}) {
    const double eta = 2 * (1 - alpha) * gamma;
    const auto config =
        test::config_of(fmt::format("winnow:eta={}", eta), fmt::format("margin:b={}", alpha * gamma));
    const auto runs = test::run_repeatedly(config, {.dimension = dimension}, stream, u, gamma, seeds);
    const double bound = selective_winnow_bound({.gamma = gamma, .loss = runs.update_loss.mean, .longest = 1},
                                                alpha, dimension);
    EXPECT_LE(runs.mistakes.mean - 4 * runs.mistakes.standard_error, bound) << "alpha " << alpha;
    EXPECT_LE(std::abs(runs.surprise.mean), 4 * runs.surprise.standard_error + 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Noise, Theorem4, testing::Values(0.0, 0.1));

// The bounds are not trivial: on a separable stream Theorem 1 with b = X^2/2 gives the Perceptron's bound
// (|u| X / gamma)^2.
TEST(Theorem1Bound, equals_the_perceptron_bound_at_its_best_b) {
  EXPECT_DOUBLE_EQ(selective_perceptron_bound({.norm = 3, .gamma = 0.5, .loss = 0, .longest = 2}, 2),
                   36.0 * 4);
}

}  // namespace
}  // namespace askfew
