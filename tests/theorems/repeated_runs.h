#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "askfew/catalog/catalog.h"

#include "tests/streams.h"

namespace askfew::test {

/// Mean and standard error of a quantity that was measured once per seed.
struct Measured {
  double mean = 0;
  double standard_error = 0;
};

inline Measured measured(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (const double v : values) sum += v;
  const double mean = sum / n;
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {mean, std::sqrt(squares / (n - 1) / n)};
}

/// One run over a stream: mistakes on all rounds, labels asked and expected, and the comparator's hinge loss
/// over the rounds with an update (L-bar in the 2006 paper).
struct RunResult {
  double mistakes = 0;
  double asked = 0;
  double expected_asked = 0;
  double update_loss = 0;
};

inline double hinge(const std::vector<double>& u, const SparseExample& example, double gamma) {
  return std::max(0.0, gamma - sign(example.y) * dot(u, example));
}

inline RunResult run_once(const SamplerConfig& config, const Setting& setting, const Stream& stream,
                          const std::vector<double>& u, double gamma) {
  const auto sampler = make_sampler(config, setting);
  RunResult result;
  for (const SparseExample& example : stream) {
    const Query query = sampler->ask(example.x());
    if (query.prediction != example.y) ++result.mistakes;
    const bool updated = query.asked && sampler->tell(example.x(), example.y, query);
    if (updated) result.update_loss += hinge(u, example, gamma);
  }
  result.asked = static_cast<double>(sampler->tally().asked);
  result.expected_asked = sampler->tally().expected_asked;
  return result;
}

/// Runs the same stream with the coins of many seeds, because the papers' expectations are over the coins.
struct Repeated {
  Measured mistakes;
  Measured surprise;  ///< asked minus expected labels, which has mean 0
  Measured update_loss;
};

inline Repeated run_repeatedly(const SamplerConfig& config, Setting setting, const Stream& stream,
                               const std::vector<double>& u, double gamma, int seeds) {
  std::vector<double> mistakes;
  std::vector<double> surprise;
  std::vector<double> update_loss;
  for (int seed = 0; seed < seeds; ++seed) {
    setting.key.seed = static_cast<std::uint64_t>(seed);
    const RunResult result = run_once(config, setting, stream, u, gamma);
    mistakes.push_back(result.mistakes);
    surprise.push_back(result.asked - result.expected_asked);
    update_loss.push_back(result.update_loss);
  }
  return {measured(mistakes), measured(surprise), measured(update_loss)};
}

inline SamplerConfig config_of(std::string_view learner, std::string_view rule) {
  SamplerConfig config{.learner = parse_learner(learner), .rule = parse_rule(rule)};
  config.update = standard_policy(config.learner);
  return config;
}

}  // namespace askfew::test
