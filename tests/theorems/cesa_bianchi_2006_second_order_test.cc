// Cesa-Bianchi, Gentile, Zaniboni, "Worst-case analysis of selective sampling for linear classification"
// (2006), Theorem 3: the second-order Perceptron (a = 1) with rule margin(b). The bound and the
// mistakes are expectations over the coins, so both are computed from the same runs.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "askfew/theory/bounds.h"

#include "tests/theorems/second_order_runs.h"

namespace askfew {
namespace {

constexpr int seeds = 40;
constexpr std::size_t dimension = 20;

struct Case {
  double margin;  ///< 0: the teacher does not separate with a margin
  double noise;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << "margin " << c.margin << ", noise " << c.noise;
}

/// A = I + sum of x x' over the updates.
Eigen::MatrixXd correlation(const std::vector<test::Update>& updates) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(dimension, dimension);
  for (const auto& k : updates) a += k.x * k.x.transpose();
  return a;
}

class CesaBianchi2006Theorem3 : public testing::TestWithParam<Case> {
 protected:
  SecondOrderComparator teacher_on(const std::vector<test::Update>& updates) const {
    const Eigen::MatrixXd a = correlation(updates);
    const Eigen::VectorXd u = test::dense(u_);
    return {.gamma = gamma_,
            .loss = test::hinge_loss(updates, gamma_),
            .size = u.dot(a * u),
            .information = test::log_determinant(a)};
  }

  std::mt19937_64 random_{17};
  std::vector<double> u_ = test::random_teacher(random_, dimension);
  test::TargetedStream stream_ = test::fixed_target(
      test::teacher_stream(7, 800, u_, dimension, GetParam().margin, GetParam().noise), u_);
  double gamma_ = std::max(0.1, GetParam().margin);
};

TEST_P(CesaBianchi2006Theorem3, bounds_the_mistakes_of_the_selective_second_order_perceptron) {
  for (const double b : {0.05, 0.2, 1.0}) {
    const SamplerConfig config = test::config_of("second-order", fmt::format("margin:b={}", b));
    std::vector<double> mistakes;
    std::vector<double> bounds;
    std::vector<double> excess;  // mistakes minus bound; by the theorem its mean is at most 0
    std::vector<double> surprise;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const auto run = test::run_exactly(config, {.key = {.seed = seed}, .dimension = dimension}, stream_);
      const double bound = selective_second_order_bound(teacher_on(run.updates), b);
      // The last line of the proof before expectations are taken holds on every run: the weight of an update
      // is 1 over the probability with which its label was asked.
      double weighted = 0;
      for (const auto& k : run.updates) weighted += (b + std::abs(k.margin)) / b;
      ASSERT_LE(weighted, bound) << "b " << b << ", seed " << seed;
      mistakes.push_back(run.mistakes);
      bounds.push_back(bound);
      excess.push_back(run.mistakes - bound);
      surprise.push_back(run.asked - run.expected_asked);
    }
    const test::Measured over = test::measured(excess);
    EXPECT_LE(over.mean - 4 * over.standard_error, 0) << "b " << b;
    const test::Measured unexpected = test::measured(surprise);
    EXPECT_LE(std::abs(unexpected.mean), 4 * unexpected.standard_error) << "b " << b;
    RecordProperty(fmt::format("mean_mistakes_b_{}", b),
                   fmt::format("{:.1f}", test::measured(mistakes).mean));
    RecordProperty(fmt::format("bound_b_{}", b), fmt::format("{:.1f}", test::measured(bounds).mean));
  }
}

// (13) on one run is the bound of the deterministic algorithm.
TEST_P(CesaBianchi2006Theorem3, equals_the_bound_of_the_second_order_perceptron_at_its_best_b) {
  const auto run = test::run_exactly(test::config_of("second-order", "always"), {}, stream_);
  const SecondOrderComparator u = teacher_on(run.updates);
  EXPECT_LE(run.mistakes, second_order_bound(u));
  const double best = gamma_ * std::sqrt(u.information / u.size);
  EXPECT_NEAR(selective_second_order_bound(u, best), second_order_bound(u), 1e-9);
  RecordProperty("mistakes", fmt::format("{:.0f}", run.mistakes));
  RecordProperty("bound", fmt::format("{:.1f}", second_order_bound(u)));
}

INSTANTIATE_TEST_SUITE_P(Streams, CesaBianchi2006Theorem3,
                         testing::Values(Case{0.2, 0}, Case{0.1, 0.05}, Case{0, 0.1}));

// Forster 1999, on which the proof of Theorem 3 relies, is an equality: over the updates of any run,
//   sum of (y - m)^2 = min over v of |v|^2 + sum of (y - v.x)^2,  + sum of x'A_t^-1 x - (x'A_(t-1)^-1 x) m^2.
TEST(Forster1999, the_square_loss_of_the_margins_satisfies_the_equality) {
  std::mt19937_64 random(23);
  const std::vector<double> u = test::random_teacher(random, dimension);
  const auto stream = test::fixed_target(test::teacher_stream(8, 600, u, 6, 0, 0.2, false), u);
  for (const char* learner : {"second-order", "rls"}) {
    for (const char* rule : {"always", "margin:b=0.3"}) {
      const auto run = test::run_exactly(test::config_of(learner, rule), {.key = {.seed = 3}}, stream);
      Eigen::MatrixXd a = Eigen::MatrixXd::Identity(dimension, dimension);
      Eigen::VectorXd v = Eigen::VectorXd::Zero(dimension);
      double left = 0;
      double right = 0;
      for (const auto& k : run.updates) {
        const double before = k.x.dot(a.llt().solve(k.x));
        a += k.x * k.x.transpose();
        v += k.y * k.x;
        left += (k.y - k.margin) * (k.y - k.margin);
        right += k.x.dot(a.llt().solve(k.x)) - before * k.margin * k.margin;
      }
      right += static_cast<double>(run.updates.size()) - v.dot(a.llt().solve(v));  // the minimum
      EXPECT_NEAR(left, right, 1e-9 * left) << learner << " " << rule;
    }
  }
}

}  // namespace
}  // namespace askfew
