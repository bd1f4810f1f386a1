#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>

#include "askfew/linalg/blocked_vector.h"
#include "askfew/linalg/cholesky.h"
#include "askfew/linalg/dense.h"
#include "askfew/linalg/exact_sum.h"
#include "askfew/linalg/scaled_weights.h"
#include "askfew/linalg/sparse.h"

#include "tests/unit/instruction_sets.h"

namespace askfew {
namespace {

using Index = FeatureView::Index;

// Small integers: every order of additions is exact, so that results can be compared for equality.
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

// Partial sums reach 1e9; with twice the precision the error of 20,000 additions is below 20,000 * 1e9 *
// 2^-106.
TEST(ExactSum, adding_and_subtracting_the_same_numbers_leaves_the_first_value) {
  ExactSum sum(1e-9);
  for (int k = 1; k <= 10'000; ++k) sum.add(std::pow(1.37, k % 50) / 3);
  for (int k = 10'000; k >= 1; --k) sum.add(-std::pow(1.37, k % 50) / 3);
  EXPECT_NEAR(sum.value(), 1e-9, 1e-18);
}

TEST(ScaledWeights, shrinking_many_times_stays_exact_enough) {
  const std::vector<double> one{1.0};
  const FeatureView x = FeatureView::dense(one);
  ScaledWeights scaled;
  double w = 0;
  for (int k = 0; k < 5000; ++k) {  // 0.5^5000 is far below the smallest double
    scaled.scale_and_add(0.5, 1, x);
    w = 0.5 * w + 1;
    ASSERT_NEAR(scaled.dot(x), w, 1e-12);
  }
}

TEST(ScaledWeights, growing_and_shrinking_again_changes_nothing) {
  const std::vector<double> one{1.0};
  const FeatureView x = FeatureView::dense(one);
  ScaledWeights scaled;
  scaled.scale_and_add(1, 3, x);
  for (const double factor : {0x1.0p+200, 0x1.0p+200, 0x1.0p-200, 0x1.0p-200})
    scaled.scale_and_add(factor, 0, x);
  EXPECT_EQ(scaled.dot(x), 3);
}

TEST(Cholesky, solves_systems_and_refuses_matrices_that_are_not_positive_definite) {
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

/// The results of every product of dense.h for some vectors of this size.
std::vector<double> all_products(std::size_t n) {
  std::vector<double> x(n);
  std::vector<double> w(n);
  const std::size_t stride = (n + 7) / 8 * 8;
  AlignedVector<double> m(n * stride);
  std::vector<std::uint32_t> rows;
  std::vector<double> factors;
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = i % 3 == 0 ? std::sin(static_cast<double>(i)) : 0;
    w[i] = std::cos(static_cast<double>(i));
    if (i % 2 == 0) rows.push_back(static_cast<std::uint32_t>(i));
    if (i % 2 == 0) factors.push_back(1 / (1.0 + static_cast<double>(i)));
    for (std::size_t j = 0; j < n; ++j) m[i * stride + j] = std::sin(static_cast<double>(i * j + i + j));
  }
  BlockedVector blocked;
  blocked.assign(FeatureView::dense(x));
  std::vector<double> results{dense_dot(x.data(), w.data(), n), quadratic_form(m.data(), stride, blocked)};
  dense_add_scaled(w.data(), 0.3, x.data(), n);
  add_combination_of_rows(w.data(), n, m.data(), stride, rows.data(), factors.data(), rows.size());
  results.insert(results.end(), w.begin(), w.end());
  std::vector<double> products(n);
  dots_with_rows(m.data(), stride, n, blocked, products.data());
  results.insert(results.end(), products.begin(), products.end());
  return results;
}

TEST(Dense, products_have_the_same_bits_on_every_target) {
  for (const std::size_t n : {1U, 7U, 8U, 9U, 40U, 101U, 200U}) {
    const std::vector<double> expected = all_products(n);
    with_every_instruction_set([&](std::int64_t) { EXPECT_EQ(all_products(n), expected); });
  }
}

TEST(BlockedVector, dense_and_sparse_views_give_the_same_results) {
  const std::vector<double> dense{0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, -1};
  const std::vector<Index> indices{1, 16, 18};
  const std::vector<double> values{2, 3, -1};
  BlockedVector a;
  BlockedVector b;
  a.assign(FeatureView::dense(dense));
  b.assign(FeatureView::sparse(indices, values));
  for (const BlockedVector& v : {a, b}) {
    ASSERT_EQ(v.size(), 3);
    ASSERT_EQ(v.blocks(), 2);
    EXPECT_EQ(std::vector<Index>(v.indices(), v.indices() + 3), indices);
    EXPECT_EQ(std::vector<double>(v.nonzeros(), v.nonzeros() + 3), values);
    EXPECT_EQ(std::vector<std::uint32_t>(v.block_of(), v.block_of() + 3),
              (std::vector<std::uint32_t>{0, 1, 1}));
    EXPECT_EQ(std::vector<Index>(v.block(), v.block() + 2), (std::vector<Index>{0, 2}));
    EXPECT_EQ(v.values()[1], 2);
    EXPECT_EQ(v.values()[8], 3);
    EXPECT_EQ(v.values()[10], -1);
  }
}

}  // namespace
}  // namespace askfew
