#pragma once

// Runs of second-order learners, and the quantities in their bounds, computed from the definitions with
// matrices.

#include <Eigen/Dense>

#include "tests/theorems/repeated_runs.h"

namespace askfew::test {

/// A stream and the target that labelled it, or any other comparator; one vector per round.
struct TargetedStream {
  Stream examples;
  std::vector<std::vector<double>> targets;
};

inline TargetedStream fixed_target(Stream examples, const std::vector<double>& u) {
  const std::size_t rounds = examples.size();
  return {std::move(examples), std::vector<std::vector<double>>(rounds, u)};
}

/// A round whose label was asked and updated the learner.
struct Update {
  Eigen::VectorXd x;
  double y = 0;
  Eigen::VectorXd u;  ///< the target
  double margin = 0;  ///< exact
};

struct SecondOrderRun {
  double mistakes = 0;
  double asked = 0;
  double expected_asked = 0;
  std::vector<Update> updates;
};

inline Eigen::VectorXd dense(const SparseExample& example, std::size_t dimension) {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(dimension));
  for (std::size_t k = 0; k < example.indices.size(); ++k) x[example.indices[k]] = example.values[k];
  return x;
}

inline Eigen::VectorXd dense(const std::vector<double>& u) {
  return Eigen::Map<const Eigen::VectorXd>(u.data(), static_cast<Eigen::Index>(u.size()));
}

inline SecondOrderRun run_exactly(const SamplerConfig& config, const Setting& setting,
                                  const TargetedStream& stream) {
  const auto sampler = make_sampler(config, setting, Exactness::exact);
  SecondOrderRun run;
  for (std::size_t t = 0; t < stream.examples.size(); ++t) {
    const SparseExample& example = stream.examples[t];
    const std::vector<double>& u = stream.targets[t];
    const Query query = sampler->ask(example.x());
    if (query.prediction != example.y) ++run.mistakes;
    if (query.asked && sampler->tell(example.x(), example.y, query)) {
      run.updates.push_back({dense(example, u.size()), sign(example.y), dense(u), query.score.margin});
    }
  }
  run.asked = static_cast<double>(sampler->tally().asked);
  run.expected_asked = sampler->tally().expected_asked;
  return run;
}

inline double log_determinant(const Eigen::MatrixXd& positive_definite) {
  const Eigen::LLT<Eigen::MatrixXd> factors(positive_definite);
  return 2 * factors.matrixLLT().diagonal().array().log().sum();
}

inline double hinge_loss(const std::vector<Update>& updates, double gamma) {
  double sum = 0;
  for (const Update& k : updates) sum += std::max(0.0, gamma - k.y * k.u.dot(k.x));
  return sum;
}

}  // namespace askfew::test
