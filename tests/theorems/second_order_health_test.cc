// After 100,000 updates, which are 100 passes over 1,000 instances: the results of rank-one updates, compared
// with the same quantities computed afresh or with more digits, in long double.
//
// Errors are relative, in the norm that the matrix itself gives: for P the largest |x'Px - x'A^-1 x| / x'A^-1
// x, for w = A^-1 v the largest |w.x - v'A^-1 x| / sqrt(x'A^-1 x v'A^-1 v), over unit vectors, random
// vectors, instances of the stream and the eigenvectors of A. These errors are small only if every direction
// is right, including directions where P is a billion times smaller than elsewhere.

#include <Eigen/Dense>
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>

#include "askfew/learners/lasec.h"
#include "askfew/learners/second_order.h"

#include "tests/theorems/second_order_runs.h"

namespace askfew {
namespace {

using Matrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

constexpr int dimension = 20;
constexpr std::size_t instances = 1000;
constexpr int passes = 100;
constexpr double tolerance = 1e-6;

/// How instances are made from independent normal features.
struct Conditioning {
  const char* name;
  std::function<void(std::vector<double>& x)> shape;
};

void PrintTo(const Conditioning& conditioning, std::ostream* out) {
  *out << conditioning.name;
}

const Conditioning unit_norms{"unit_norms", [](std::vector<double>& x) {
                                const double norm = std::sqrt(FeatureView::sum_of_squares(x));
                                for (double& v : x) v /= norm;
                              }};
const Conditioning scales{"scales_from_1e_3_to_1e3", [](std::vector<double>& x) {
                            for (std::size_t i = 0; i < x.size(); ++i) {
                              x[i] *= std::pow(10, 6 * static_cast<double>(i) / (dimension - 1) - 3);
                            }
                          }};
const Conditioning correlated{"correlated_to_1e_6", [](std::vector<double>& x) {
                                for (std::size_t i = 1; i < x.size(); ++i) x[i] = x[0] + 1e-3 * x[i];
                              }};
const Conditioning far_away{"around_1000", [](std::vector<double>& x) {
                              for (double& v : x) v += 1000;
                            }};

struct Example {
  std::vector<double> values;
  Vector x;  ///< the same
  Label y;

  [[nodiscard]] FeatureView view() const { return FeatureView::dense(values); }
};

std::vector<Example> draw(const Conditioning& conditioning, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Example> examples;
  while (examples.size() < count) {
    std::vector<double> values(dimension);
    for (double& v : values) v = normal(random);
    const Label y = sgn(values[1] + normal(random));
    conditioning.shape(values);
    examples.push_back({values, test::dense(values).cast<long double>(), y});
  }
  return examples;
}

/// The right result of a learner: Q, whose spreads the learner knows, and w.
struct Expected {
  Matrix q;
  Vector w;
};

class Health : public testing::TestWithParam<Conditioning> {
 protected:
  /// The directions in which errors are measured.
  std::vector<Vector> probes(const Matrix& q) const {
    std::mt19937_64 random(42);
    const Matrix eigenvectors = Eigen::SelfAdjointEigenSolver<Matrix>(q).eigenvectors();
    std::vector<Vector> all;
    for (const Example& example : draw(GetParam(), dimension, 43)) all.push_back(example.x);
    for (int i = 0; i < dimension; ++i) {
      all.emplace_back(Vector::Unit(dimension, i));
      all.emplace_back(eigenvectors.col(i));
      all.emplace_back(test::dense(test::random_teacher(random, dimension)).cast<long double>());
    }
    return all;
  }

  template <class L>
  void expect_healthy(const L& learner, const Expected& expected) {
    const long double norm_of_w = std::sqrt(expected.w.dot(expected.q.llt().solve(expected.w)));
    long double error_of_p = 0;
    long double error_of_w = 0;
    for (const Vector& probe : probes(expected.q)) {
      const Eigen::VectorXd rounded = probe.cast<double>();
      const FeatureView view = FeatureView::dense({rounded.data(), dimension});
      const Vector x = rounded.cast<long double>();
      const long double spread = x.dot(expected.q * x);
      error_of_p = std::max(error_of_p, std::abs(learner.spread(view) - spread) / spread);
      error_of_w = std::max(error_of_w, std::abs(learner.undivided_margin(view) - expected.w.dot(x)) /
                                            (std::sqrt(spread) * norm_of_w));
    }
    EXPECT_LE(error_of_p, tolerance);
    EXPECT_LE(error_of_w, tolerance);
    RecordProperty("error_of_P", fmt::format("{:.1e}", static_cast<double>(error_of_p)));
    RecordProperty("error_of_w", fmt::format("{:.1e}", static_cast<double>(error_of_w)));
  }

  std::vector<Example> examples_ = draw(GetParam(), instances, 41);
};

class RlsHealth : public Health {};
class LasecHealth : public Health {};

TEST_P(RlsHealth, agrees_with_an_inverse_after_100_000_updates) {
  Rls learner({}, {.dimension = dimension});
  for (int pass = 0; pass < passes; ++pass) {
    for (const Example& example : examples_) learner.update(example.view(), example.y, 0);
  }
  Matrix a = Matrix::Identity(dimension, dimension);
  Vector v = Vector::Zero(dimension);
  for (const Example& example : examples_) {
    a += static_cast<long double>(passes) * example.x * example.x.transpose();
    v += static_cast<long double>(passes * sign(example.y)) * example.x;
  }
  const Eigen::LLT<Matrix> factors(a);
  expect_healthy(learner, {factors.solve(Matrix::Identity(dimension, dimension)), factors.solve(v)});
}

// With a fast drift, c = 2, P grows by I/c at every update. There is no single matrix to invert, so the same
// recursion is run in long double; Lasec.equals_figure_1 compares it with inverses on short streams.
TEST_P(LasecHealth, agrees_with_long_double_after_100_000_updates) {
  constexpr double c = 2;
  Lasec learner({.b = 1, .c = c}, {.dimension = dimension});
  Expected expected{Matrix::Identity(dimension, dimension), Vector::Zero(dimension)};  // Q = P + I/c = I/b
  Vector qx(dimension);
  for (int pass = 0; pass < passes; ++pass) {
    for (const Example& example : examples_) {
      learner.update(example.view(), example.y, 0);
      qx.noalias() = expected.q * example.x;
      const long double divisor = 1 + example.x.dot(qx);
      expected.w += qx * ((static_cast<long double>(sign(example.y)) - expected.w.dot(example.x)) / divisor);
      expected.q.noalias() -= qx * (qx / divisor).transpose();
      expected.q.diagonal().array() += 1 / static_cast<long double>(c);
    }
  }
  expect_healthy(learner, expected);
}

std::string name_of(const testing::TestParamInfo<Conditioning>& conditioning) {
  return conditioning.param.name;
}
INSTANTIATE_TEST_SUITE_P(Conditionings, RlsHealth, testing::Values(unit_norms, scales, correlated, far_away),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Conditionings, LasecHealth, testing::Values(unit_norms, scales, correlated),
                         name_of);

}  // namespace
}  // namespace askfew
