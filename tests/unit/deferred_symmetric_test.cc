// The matrix with deferred updates, compared with a plain matrix that is changed at once.

#include "askfew/linalg/deferred_symmetric.h"

#include <gtest/gtest.h>
#include <random>

#include "askfew/system/memory_limit.h"

namespace askfew {
namespace {

/// M as a plain array.
class Plain {
 public:
  explicit Plain(double diagonal) : diagonal_(diagonal) {}
  void grow(std::size_t size) {
    for (auto& row : m_) row.resize(size);
    while (m_.size() < size) {
      m_.emplace_back(size);
      m_.back()[m_.size() - 1] = diagonal_;
    }
  }
  void subtract_outer(const std::vector<double>& q, double scale) {
    for (std::size_t i = 0; i < m_.size(); ++i) {
      for (std::size_t j = 0; j < m_.size(); ++j) m_[i][j] -= scale * q[i] * q[j];
    }
  }
  void add_to_diagonal(double amount) {
    for (std::size_t i = 0; i < m_.size(); ++i) m_[i][i] += amount;
    diagonal_ += amount;
  }
  [[nodiscard]] std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> product(m_.size());
    for (std::size_t i = 0; i < m_.size(); ++i) {
      for (std::size_t j = 0; j < m_.size(); ++j) product[i] += m_[i][j] * x[j];
    }
    return product;
  }
  [[nodiscard]] std::size_t size() const { return m_.size(); }

 private:
  double diagonal_;
  std::vector<std::vector<double>> m_;
};

std::vector<double> random_vector(std::mt19937_64& random, std::size_t size, double density) {
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  std::vector<double> x(size);
  for (double& component : x) component = uniform(random) < density ? normal(random) : 0;
  return x;
}

void expect_same(const DeferredSymmetric& m, const Plain& plain, const std::vector<double>& x) {
  const FeatureView view = FeatureView::dense(x);
  const std::vector<double> expected = plain.times(x);
  std::vector<double> product(m.size(), 7.0);
  m.multiply(view, 0, product);
  double quadratic = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_NEAR(product[i], expected[i], 1e-11);
    quadratic += x[i] * expected[i];
  }
  ASSERT_NEAR(m.quadratic(view), quadratic, 1e-10);
}

TEST(DeferredSymmetric, deferred_updates_give_the_same_results_as_immediate_updates) {
  for (const double density : {0.05, 0.3, 1.0}) {
    std::mt19937_64 random(3);
    DeferredSymmetric m(1.5, MemoryShare(nullptr));
    Plain plain(1.5);
    std::size_t size = 0;
    for (int k = 0; k < 150; ++k) {
      if (k % 7 == 0) {
        size += 1 + random() % 5;
        m.grow(size);
        plain.grow(size);
      }
      const std::vector<double> q = random_vector(random, size, 1);
      m.subtract_outer(q, 1e-3);
      plain.subtract_outer(q, 1e-3);
      if (k % 3 == 0) {
        m.add_to_diagonal(0.01);
        plain.add_to_diagonal(0.01);
      }
      if (k % 40 == 39) m.flush();
      expect_same(m, plain, random_vector(random, size, density));
    }
  }
}

TEST(DeferredSymmetric, is_symmetric_to_the_last_bit) {
  std::mt19937_64 random(4);
  DeferredSymmetric m(1, MemoryShare(nullptr));
  m.grow(77);
  for (int k = 0; k < 100; ++k) m.subtract_outer(random_vector(random, 77, 1), 1e-3);
  m.flush();
  for (std::size_t i = 0; i < 77; ++i) {
    for (std::size_t j = 0; j < 77; ++j) ASSERT_EQ(m.row(i)[j], m.row(j)[i]);
  }
}

TEST(DeferredSymmetric, growth_is_charged_to_the_memory_limit_and_released) {
  const auto limit = std::make_shared<MemoryLimit>(200'000);
  DeferredSymmetric m(1, MemoryShare(limit));
  m.grow(100);
  EXPECT_THROW(m.grow(200), MemoryError);
  EXPECT_EQ(m.size(), 100);
  EXPECT_THROW(limit->take(150'000, "another"), MemoryError);
  m.start_over(1);
  EXPECT_NO_THROW(limit->take(150'000, "another"));
}

}  // namespace
}  // namespace askfew
