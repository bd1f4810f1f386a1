// The quantities that `askfew bound` computes from the spreads of a run equal their definitions by matrices.

#include "askfew/trials/observed_runs.h"

#include <gtest/gtest.h>

#include "tests/theorems/second_order_runs.h"

namespace askfew {
namespace {

constexpr std::size_t dimension = 7;

/// One run over a noisy stream, and the instances of its updates.
struct OneRun {
  explicit OneRun(const SamplerConfig& config)
      : stream(test::teacher_stream(4, 500, dimension, 5, 0, 0.1, false)) {
    for (const auto& example : stream) {
      x.push_back(example.x());
      y.push_back(example.y);
    }
    runs = observe_runs(config, {.key = {.seed = 2}}, {x, y}, 1);
  }

  test::Stream stream;
  std::vector<FeatureView> x;
  std::vector<Label> y;
  ObservedRuns runs;
};

TEST(ObservedRuns, the_log_determinant_equals_that_of_the_correlation_matrix) {
  for (const char* rule : {"always", "margin:b=0.3"}) {
    const OneRun run(test::config_of("second-order", rule));
    Eigen::MatrixXd a = Eigen::MatrixXd::Identity(dimension, dimension);
    for (const std::uint32_t t : run.runs.updates) {
      const Eigen::VectorXd x = test::dense(run.stream[t], dimension);
      a += x * x.transpose();
    }
    EXPECT_NEAR(run.runs.log_determinant, test::log_determinant(a), 1e-9);
  }
}

TEST(ObservedRuns, the_information_equals_that_of_lasec) {
  constexpr double b = 0.5;
  constexpr double c = 20;
  for (const char* rule : {"always", "margin:b=0.3"}) {
    const OneRun run(test::config_of("lasec:b=0.5,c=20", rule));
    const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(dimension, dimension);
    Eigen::MatrixXd d = b * c / (c - b) * identity;
    double information = 0;
    for (const std::uint32_t t : run.runs.updates) {
      const Eigen::VectorXd x = test::dense(run.stream[t], dimension);
      d = (d.inverse() + identity / c).inverse() + x * x.transpose();
      information += x.dot(d.llt().solve(x));
    }
    EXPECT_NEAR(run.runs.information, information, 1e-9 * information);
  }
}

}  // namespace
}  // namespace askfew
