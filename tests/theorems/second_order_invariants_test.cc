// The second-order learners compared with their definitions, with matrices solved by Eigen, over hundreds of
// random sizes.

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "askfew/learners/arow.h"
#include "askfew/learners/lasec.h"
#include "askfew/learners/second_order.h"

#include "tests/theorems/second_order_runs.h"

namespace askfew {
namespace {

/// One random case: a stream of n examples with some of d features, and a parameter.
struct RandomCase {
  explicit RandomCase(std::uint64_t seed) : random(seed) {
    const auto one_to = [&](std::size_t most) {
      return std::uniform_int_distribution<std::size_t>(1, most)(random);
    };
    d = one_to(25);
    const std::size_t nonzeros = one_to(d);
    stream = test::teacher_stream(seed, one_to(60), d, nonzeros, 0, 0.2, seed % 2 == 0);
    parameter = std::exp(std::uniform_real_distribution<double>(-3, 3)(random));
    form = static_cast<double>(seed % 3);
    identity = Eigen::MatrixXd::Identity(static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(d));
  }

  test::SparseExample probe() { return test::random_instance(random, d, d, false); }

  std::mt19937_64 random;
  std::size_t d = 0;
  test::Stream stream;
  double parameter = 1;
  double form = 0;
  Eigen::MatrixXd identity;
};

constexpr std::uint64_t cases = 300;

double relative(double tolerance, double value) {
  return tolerance * std::max(1.0, std::abs(value));
}

/// Computes P from the spreads of the unit vectors and of their sums: x'Px + y'Py + 2x'Py.
template <class L>
Eigen::MatrixXd matrix_of(const L& learner, std::size_t d) {
  const auto size = static_cast<Eigen::Index>(d);
  std::vector<double> x(d);
  const auto spread_of_sum = [&](Eigen::Index i, Eigen::Index j) {
    x.assign(d, 0.0);
    x[static_cast<std::size_t>(i)] += 1;
    x[static_cast<std::size_t>(j)] += 1;
    return learner.spread(FeatureView::dense(x));
  };
  Eigen::MatrixXd p(size, size);
  for (Eigen::Index i = 0; i < size; ++i) p(i, i) = spread_of_sum(i, i) / 4;
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      p(i, j) = p(j, i) = (spread_of_sum(i, j) - p(i, i) - p(j, j)) / 2;
    }
  }
  return p;
}

// Cavallanti et al. 2008, (2): the margin is ridge regression on the asked examples and the present instance
// with label 0.
TEST(Rls, equals_batch_ridge_regression) {
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    RandomCase c(seed);
    Rls learner({.a = c.parameter, .form = c.form}, {});
    const auto asked = static_cast<Eigen::Index>(c.stream.size());
    Eigen::MatrixXd rows(asked + 1, static_cast<Eigen::Index>(c.d));
    Eigen::VectorXd labels = Eigen::VectorXd::Zero(asked + 1);
    for (Eigen::Index t = 0; t < asked; ++t) {
      const auto& example = c.stream[static_cast<std::size_t>(t)];
      learner.update(example.x(), example.y, learner.margin(example.x()));
      rows.row(t) = test::dense(example, c.d);
      labels[t] = sign(example.y);
    }
    const test::SparseExample probe = c.probe();
    const Eigen::VectorXd x = test::dense(probe, c.d);
    rows.row(asked) = x;
    // min |rows w - labels|^2 + a |w|^2 as a least-squares problem, by QR: no inverse, no normal equations.
    Eigen::MatrixXd stacked(asked + 1 + x.size(), x.size());
    stacked << rows, std::sqrt(c.parameter) * c.identity;
    Eigen::VectorXd right = Eigen::VectorXd::Zero(stacked.rows());
    right.head(asked + 1) = labels;
    const double margin = x.dot(stacked.householderQr().solve(right));
    ASSERT_NEAR(learner.margin(probe.x()), margin, relative(1e-9, margin));
  }
}

TEST(SecondOrder, the_spread_equals_that_of_the_inverse) {
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    RandomCase c(seed);
    SecondOrder learner({.a = c.parameter, .form = c.form}, {});
    Eigen::MatrixXd a = c.parameter * c.identity;
    for (const auto& example : c.stream) {
      learner.update(example.x(), example.y, learner.margin(example.x()));
      a += test::dense(example, c.d) * test::dense(example, c.d).transpose();
    }
    for (int i = 0; i < 5; ++i) {
      const test::SparseExample probe = c.probe();
      const Eigen::VectorXd x = test::dense(probe, c.d);
      const double spread = x.dot(a.llt().solve(x));
      ASSERT_NEAR(learner.spread(probe.x()), spread, relative(1e-9, spread));
    }
    ASSERT_LE((matrix_of(learner, c.d) * a - c.identity).cwiseAbs().maxCoeff(), 1e-9);  // P A = I
  }
}

// Moroshko, Crammer 2014, Figure 1, with inverses; the spread that rules use is x'(D^-1 + I/c)x.
TEST(Lasec, equals_figure_1) {
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    RandomCase c(seed);
    const double b = c.parameter;
    const double noise = 1 / (b * (2 + static_cast<double>(seed % 50)));  // 1/c
    Lasec learner({.b = b, .c = 1 / noise, .form = c.form}, {});
    Eigen::MatrixXd d = b / (1 - b * noise) * c.identity;
    Eigen::VectorXd e = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(c.d));
    for (const auto& example : c.stream) {
      const Eigen::VectorXd x = test::dense(example, c.d);
      const Eigen::MatrixXd q = d.inverse() + noise * c.identity;
      const Eigen::MatrixXd s = q.inverse() + x * x.transpose();
      const Eigen::VectorXd kept = (c.identity + noise * d).llt().solve(e);
      const double margin = x.dot(s.llt().solve(kept));
      ASSERT_NEAR(learner.margin(example.x()), margin, relative(1e-9, margin));
      ASSERT_NEAR(learner.spread(example.x()), x.dot(q * x), relative(1e-9, x.dot(q * x)));
      learner.update(example.x(), example.y, margin);
      e = kept + sign(example.y) * x;
      d = s;
    }
  }
}

// Crammer, Kulesza, Dredze 2009, Figure 1.
TEST(Arow, equals_figure_1) {
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(seed);
    RandomCase c(seed);
    const double r = c.parameter;
    Arow learner({.r = r, .form = c.form}, {});
    Eigen::MatrixXd s = c.identity;
    Eigen::VectorXd mu = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(c.d));
    for (const auto& example : c.stream) {
      const Eigen::VectorXd x = test::dense(example, c.d);
      const double y = sign(example.y);
      ASSERT_NEAR(learner.margin(example.x()), mu.dot(x), relative(1e-9, mu.dot(x)));
      ASSERT_NEAR(learner.spread(example.x()), x.dot(s * x) / r, relative(1e-9, x.dot(s * x) / r));
      const double loss = 1 - y * mu.dot(x);
      ASSERT_EQ(learner.suffers(example.y, mu.dot(x)), loss > 0);
      if (loss <= 0) continue;
      learner.update(example.x(), example.y, mu.dot(x));
      const double beta = 1 / (x.dot(s * x) + r);
      mu += loss * beta * y * s * x;
      s -= beta * s * x * x.transpose() * s;
    }
  }
}

}  // namespace
}  // namespace askfew
