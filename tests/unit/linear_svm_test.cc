#include "askfew/theory/linear_svm.h"

#include <gtest/gtest.h>

#include "tests/streams.h"

namespace askfew {
namespace {

struct Rows {
  explicit Rows(test::Stream examples) : stream(std::move(examples)) {
    for (const auto& example : stream) {
      x.push_back(example.x());
      y.push_back(example.y);
    }
  }

  test::Stream stream;
  std::vector<FeatureView> x;
  std::vector<Label> y;
};

double objective(const std::vector<double>& w, const Rows& rows, double c) {
  double sum = FeatureView::sum_of_squares(w) / 2;
  for (const auto& example : rows.stream)
    sum += c * std::max(0.0, 1 - sign(example.y) * test::dot(w, example));
  return sum;
}

/// Subgradient descent with the usual steps for a strongly convex objective: slow and simple.
std::vector<double> naive(const Rows& rows, double c, std::size_t dimension, int steps) {
  std::vector<double> w(dimension);
  std::vector<double> best = w;
  for (int k = 1; k <= steps; ++k) {
    std::vector<double> slope = w;
    for (const auto& example : rows.stream) {
      if (sign(example.y) * test::dot(w, example) >= 1) continue;
      for (std::size_t i = 0; i < example.indices.size(); ++i) {
        slope[example.indices[i]] -= c * sign(example.y) * example.values[i];
      }
    }
    for (std::size_t i = 0; i < dimension; ++i) w[i] -= 2.0 / (k + 1) * slope[i];
    if (objective(w, rows, c) < objective(best, rows, c)) best = w;
  }
  return best;
}

test::SparseExample example(std::vector<double> values, Label y) {
  test::SparseExample made{.values = std::move(values), .y = y};
  for (FeatureView::Index i = 0; i < made.values.size(); ++i) made.indices.push_back(i);
  return made;
}

TEST(LinearSvm, finds_a_known_optimum) {
  // The closest points of the two classes are (1, 0) and (-3, 0): w.x = 1 on the first, -3 on the second.
  const Rows rows({example({1, 0}, Label::positive), example({-3, 0}, Label::negative),
                   example({2, 1}, Label::positive), example({-4, 3}, Label::negative)});
  const LinearSvm svm = fit_linear_svm(rows.x, rows.y, {.c = 100, .tolerance = 1e-12});
  EXPECT_NEAR(svm.w[0], 1, 1e-6);
  EXPECT_NEAR(svm.w[1], 0, 1e-6);
  EXPECT_NEAR(svm.objective, 0.5, 1e-6);
  EXPECT_LE(svm.gap, 1e-12 * svm.objective);
}

TEST(LinearSvm, with_a_small_c_every_alpha_is_c) {
  // With c this small every alpha is c, and w = c sum of y x.
  const Rows rows({example({1, 2}, Label::positive), example({3, -1}, Label::negative)});
  const LinearSvm svm = fit_linear_svm(rows.x, rows.y, {.c = 0.01, .tolerance = 1e-12});
  EXPECT_DOUBLE_EQ(svm.w[0], 0.01 * (1 - 3));
  EXPECT_DOUBLE_EQ(svm.w[1], 0.01 * (2 + 1));
}

TEST(LinearSvm, a_zero_vector_adds_its_loss_and_the_gap_still_closes) {
  const Rows rows({example({0, 0}, Label::positive), example({1, 0}, Label::positive)});
  const LinearSvm svm = fit_linear_svm(rows.x, rows.y, {.c = 2, .tolerance = 1e-12});
  EXPECT_NEAR(svm.w[0], 1, 1e-12);
  EXPECT_NEAR(svm.objective, 2 + 0.5, 1e-12);
  EXPECT_NEAR(svm.gap, 0, 1e-12);
}

class LinearSvmOnStreams : public testing::TestWithParam<std::tuple<double, double>> {
 protected:
  static constexpr std::size_t dimension = 8;

  double c_ = std::get<0>(GetParam());
  Rows rows_{test::teacher_stream(3, 150, dimension, 5, 0, std::get<1>(GetParam()))};
};

TEST_P(LinearSvmOnStreams, the_gap_bounds_the_distance_to_the_optimum) {
  const LinearSvm rough = fit_linear_svm(rows_.x, rows_.y, {.c = c_, .tolerance = 1e-2});
  const LinearSvm fine =
      fit_linear_svm(rows_.x, rows_.y, {.c = c_, .tolerance = 1e-9, .max_epochs = 100'000});
  EXPECT_LE(fine.gap, 1e-9 * fine.objective);
  EXPECT_GE(fine.gap, -1e-9 * fine.objective);
  EXPECT_NEAR(fine.objective, objective(fine.w, rows_, c_), 1e-9 * fine.objective);
  EXPECT_LE(rough.objective - rough.gap, fine.objective * (1 + 1e-9));
  EXPECT_GE(rough.objective, fine.objective * (1 - 1e-9));
  EXPECT_LE(rough.epochs, fine.epochs);
}

TEST_P(LinearSvmOnStreams, has_no_larger_objective_than_a_naive_solver) {
  const LinearSvm svm = fit_linear_svm(rows_.x, rows_.y, {.c = c_, .tolerance = 1e-9, .max_epochs = 100'000});
  const double other = objective(naive(rows_, c_, dimension, 20'000), rows_, c_);
  EXPECT_LE(svm.objective, other * (1 + 1e-9));
  EXPECT_GE(svm.objective, other * (1 - 0.02));  // the naive solver comes close
}

TEST_P(LinearSvmOnStreams, the_same_seed_gives_the_same_weights_and_another_nearly_the_same) {
  const LinearSvmOptions options{.c = c_, .tolerance = 1e-9, .max_epochs = 100'000};
  const LinearSvm one = fit_linear_svm(rows_.x, rows_.y, options);
  EXPECT_EQ(one.w, fit_linear_svm(rows_.x, rows_.y, options).w);
  LinearSvmOptions reseeded = options;
  reseeded.seed = 2;
  const LinearSvm two = fit_linear_svm(rows_.x, rows_.y, reseeded);
  // The objective is strongly convex: |w - w'|^2/2 <= gap.
  for (std::size_t i = 0; i < dimension; ++i) {
    EXPECT_NEAR(one.w[i], two.w[i], 2 * std::sqrt(2e-9 * one.objective));
  }
}

INSTANTIATE_TEST_SUITE_P(CostAndNoise, LinearSvmOnStreams,
                         testing::Combine(testing::Values(0.01, 1.0, 30.0), testing::Values(0.0, 0.1)));

TEST(LinearSvm, stops_after_max_epochs) {
  const Rows rows(test::teacher_stream(3, 150, 8, 5, 0, 0.1));
  const LinearSvm svm = fit_linear_svm(rows.x, rows.y, {.c = 100, .tolerance = 0, .max_epochs = 3});
  EXPECT_EQ(svm.epochs, 3);
  EXPECT_GT(svm.gap, 0);
}

}  // namespace
}  // namespace askfew
