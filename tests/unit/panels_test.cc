// Every number of a panel product equals the plain chain of fused multiply-adds, bit for bit.

#include "askfew/linalg/panels.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "tests/unit/instruction_sets.h"

namespace askfew {
namespace {

template <class T>
std::vector<T> random_numbers(std::mt19937_64& random, std::size_t n) {
  std::normal_distribution<double> normal;
  std::vector<T> numbers(n);
  for (T& number : numbers) number = static_cast<T>(normal(random));
  return numbers;
}

/// Packs rows of `depth` numbers into panels.
template <class T>
std::vector<T> packed(const std::vector<T>& rows, std::size_t n, std::size_t depth, std::size_t in_panel,
                      std::size_t stride) {
  std::vector<T> panels(panels_for(n, in_panel) * stride);
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t k = 0; k < depth; ++k) {
      panels[r / in_panel * stride + k * in_panel + r % in_panel] = rows[r * depth + k];
    }
  }
  return panels;
}

template <class T>
T chain(const T* a, const T* b, std::size_t n) {
  T sum = 0;
  for (std::size_t k = 0; k < n; ++k) sum = std::fma(a[k], b[k], sum);
  return sum;
}

template <class T>
void expect_chains(std::mt19937_64& random, std::size_t n, std::size_t supports, std::size_t depth) {
  constexpr std::size_t wide = wide_rows<T>;
  const auto a = random_numbers<T>(random, n * depth);
  const auto b = random_numbers<T>(random, supports * depth);
  const std::size_t narrow_stride = (depth + 3) * narrow_rows;
  const std::size_t wide_stride = (depth + 1) * wide;
  const auto narrow = packed(a, n, depth, narrow_rows, narrow_stride);
  const auto panels = packed(b, supports, depth, wide, wide_stride);
  const std::size_t out_stride = panels_for(supports, wide) * wide;
  std::vector<T> out(n * out_stride, T(7));
  const PanelProduct<T> product{.narrow = narrow.data(),
                                .n = n,
                                .narrow_stride = narrow_stride,
                                .wide = {panels.data(), panels_for(supports, wide), wide_stride},
                                .depth = depth};
  multiply_panels(product, out.data(), out_stride);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<T> row(out_stride);
    multiply_row(a.data() + i * depth, product.wide, depth, row.data());
    for (std::size_t s = 0; s < supports; ++s) {
      const T expected = chain(a.data() + i * depth, b.data() + s * depth, depth);
      ASSERT_EQ(out[i * out_stride + s], expected) << n << " x " << supports << " x " << depth;
      ASSERT_EQ(row[s], expected) << supports << " x " << depth;
      ASSERT_EQ(fused_dot(std::span(a).subspan(i * depth, depth), std::span(b).subspan(s * depth, depth)),
                expected);
    }
  }
}

void expect_outer_products(std::mt19937_64& random, std::size_t n, std::size_t k,
                           std::vector<double>& workspace) {
  const std::size_t stride = n + 3;
  const std::size_t u_stride = n + 1;
  std::vector<double> m = random_numbers<double>(random, n * stride);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) m[i * stride + j] = m[j * stride + i];
  }
  const auto u = random_numbers<double>(random, k * u_stride);
  std::vector<double> expected = m;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t c = 0; c < k; ++c) sum = std::fma(u[c * u_stride + i], u[c * u_stride + j], sum);
      expected[i * stride + j] -= sum;
    }
  }
  subtract_outer_products(m.data(), n, stride, u.data(), u_stride, k, workspace);
  ASSERT_EQ(m, expected) << n << " x " << k;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) ASSERT_EQ(m[i * stride + j], m[j * stride + i]);
  }
}

void expect_all() {
  std::mt19937_64 random(3);
  std::uniform_int_distribution<std::size_t> size(1, 70);
  for (int repetition = 0; repetition < 25; ++repetition) {
    expect_chains<double>(random, size(random), size(random), size(random));
    expect_chains<float>(random, size(random), size(random), size(random));
  }
  expect_chains<double>(random, 5, 150, 700);  // several blocks of depth, several panels at once
  expect_chains<float>(random, 5, 300, 700);
  expect_chains<float>(random, 13, 3, 0);
  std::vector<double> workspace;
  for (int repetition = 0; repetition < 25; ++repetition) {
    expect_outer_products(random, size(random), size(random), workspace);
  }
}

TEST(Panels, products_equal_chains_of_fused_multiply_adds) {
  expect_all();
}

TEST(Panels, products_are_the_same_on_every_target) {
  with_every_instruction_set([&](std::int64_t) { expect_all(); });
}

}  // namespace
}  // namespace askfew
