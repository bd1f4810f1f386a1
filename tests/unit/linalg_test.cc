#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>

#include "askfew/linalg/cholesky.h"
#include "askfew/linalg/dense.h"
#include "askfew/linalg/exact_sum.h"
#include "askfew/linalg/scaled_weights.h"
#include "askfew/linalg/sparse.h"

namespace askfew {
namespace {

using Index = FeatureView::Index;

// Small integers, so that every order of additions is exact and the model can be compared for equality.
struct Sparse {
  std::vector<Index> indices;
  std::vector<double> values;
};
Sparse arbitrary_sparse() {
  const auto features = *rc::gen::container<std::map<std::uint8_t, std::int8_t>>(
      rc::gen::arbitrary<std::uint8_t>(), rc::gen::arbitrary<std::int8_t>());
  Sparse sparse;
  for (const auto& [index, value] : features) {
    sparse.indices.push_back(index);
    sparse.values.push_back(value);
  }
  return sparse;
}
std::vector<double> arbitrary_dense() {
  const auto bytes = *rc::gen::arbitrary<std::vector<std::int8_t>>();
  return {bytes.begin(), bytes.end()};
}

RC_GTEST_PROP(Dot, sparse_equals_the_plain_sum, ()) {
  const Sparse x = arbitrary_sparse();
  const std::vector<double> w = arbitrary_dense();
  double sum = 0;
  for (std::size_t k = 0; k < x.indices.size(); ++k) {
    if (x.indices[k] < w.size()) sum += w[x.indices[k]] * x.values[k];
  }
  RC_ASSERT(dot(w, FeatureView::sparse(x.indices, x.values)) == sum);
}

RC_GTEST_PROP(Dot, dense_equals_the_plain_sum, ()) {
  const std::vector<double> x = arbitrary_dense();
  const std::vector<double> w = arbitrary_dense();
  double sum = 0;
  for (std::size_t k = 0; k < std::min(x.size(), w.size()); ++k) sum += w[k] * x[k];
  RC_ASSERT(dot(w, FeatureView::dense(x)) == sum);
}

RC_GTEST_PROP(AddScaled, sparse_and_dense_equal_the_plain_loop, ()) {
  const Sparse x = arbitrary_sparse();
  std::vector<double> dense(x.indices.empty() ? 0 : x.indices.back() + 1, 0.0);
  for (std::size_t k = 0; k < x.indices.size(); ++k) dense[x.indices[k]] = x.values[k];
  std::vector<double> from_sparse = arbitrary_dense();
  std::vector<double> from_dense = from_sparse;
  std::vector<double> expected = from_sparse;
  if (expected.size() < dense.size()) expected.resize(dense.size());
  for (std::size_t i = 0; i < dense.size(); ++i) expected[i] += -3 * dense[i];
  add_scaled(from_sparse, -3, FeatureView::sparse(x.indices, x.values));
  add_scaled(from_dense, -3, FeatureView::dense(dense));
  RC_ASSERT(from_sparse == expected);
  RC_ASSERT(from_dense == expected);
}

// The order of additions is the documented one, so results are the same on machines of every SIMD width.
TEST(Dot, dense_adds_in_eight_lanes) {
  std::vector<double> a;
  std::vector<double> b;
  for (int i = 0; i < 1003; ++i) {
    a.push_back(std::sin(i) * 1e3);
    b.push_back(std::cos(3 * i) / 7);
  }
  double lane[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= a.size(); ++i) {
    for (std::size_t k = 0; k < 8; ++k) lane[k] += a[i + k] * b[i + k];
    i += 7;
  }
  double sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
  for (; i < a.size(); ++i) sum += a[i] * b[i];
  EXPECT_EQ(dense_dot(a.data(), b.data(), a.size()), sum);
}

// Partial sums reach 1e9; in twice the precision 20,000 additions err by less than 20,000 * 1e9 * 2^-106.
TEST(ExactSum, what_is_taken_away_leaves_nothing) {
  ExactSum sum(1e-9);
  for (int k = 1; k <= 10'000; ++k) sum.add(std::pow(1.37, k % 50) / 3);
  for (int k = 10'000; k >= 1; --k) sum.add(-std::pow(1.37, k % 50) / 3);
  EXPECT_NEAR(sum.value(), 1e-9, 1e-18);
}

TEST(ScaledWeights, shrinking_without_end_stays_exact_enough) {
  const std::vector<double> one{1.0};
  const FeatureView x = FeatureView::dense(one);
  ScaledWeights scaled;
  double w = 0;
  for (int k = 0; k < 5000; ++k) {  // 0.5^5000 is far below the smallest double
    scaled.shrink_and_add(0.5, 1, x);
    w = 0.5 * w + 1;
    ASSERT_NEAR(scaled.dot(x), w, 1e-12);
  }
}

TEST(Cholesky, solves_and_refuses_what_is_not_positive_definite) {
  std::vector<double> a{4, 2, 2,  //
                        2, 5, 3,  //
                        2, 3, 6};
  ASSERT_TRUE(cholesky(a, 3));
  std::vector<double> b{14, 21, 26};  // A (1, 2, 3)
  solve_lower(a, b);
  solve_upper(a, b);
  EXPECT_NEAR(b[0], 1, 1e-14);
  EXPECT_NEAR(b[1], 2, 1e-14);
  EXPECT_NEAR(b[2], 3, 1e-14);
  std::vector<double> singular{1, 1, 1, 1};
  EXPECT_FALSE(cholesky(singular, 2));
}

TEST(FeatureView, knows_its_extent_and_norm) {
  const std::vector<Index> indices{2, 9};
  const std::vector<double> values{3, 4};
  const FeatureView x = FeatureView::sparse(indices, values);
  EXPECT_EQ(x.extent(), 10);
  EXPECT_EQ(x.squared_norm(), 25);
  EXPECT_EQ(FeatureView().extent(), 0);
  EXPECT_EQ(FeatureView::dense(values).extent(), 2);
}

}  // namespace
}  // namespace askfew
