// Measures the time of a round, as a ratio to a hand-written loop over the same data in the same run: sparse
// dot product, comparison, sparse update, and nothing else. Instances resemble text: 47,000 features with
// Zipf's frequencies, 75 features per row, in memory.
//
// Each repetition runs the bare loop and then the sampler over the same rows; `ratio` is the median of the
// quotients of their times, so that a machine that is slow for a while slows both.

#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdio>
#include <string>
#include <vector>

#include "askfew/catalog/catalog.h"

#include "bench/measure.h"
#include "bench/text_stream.h"

namespace askfew {
namespace {

using bench::cpu_seconds;
using bench::median;

constexpr std::size_t rows = 20'000;
constexpr FeatureView::Index dimension = bench::text_dimension;

const bench::Data& data() {
  static const bench::Data made = bench::text_stream(rows);
  return made;
}

/// The same examples as plain arrays, for the loop that a programmer would write by hand.
struct Plain {
  std::vector<std::size_t> begin{0};
  std::vector<FeatureView::Index> index;
  std::vector<double> value;
  std::vector<double> squared_norm;
  std::vector<double> y;
};

const Plain& plain() {
  static const Plain made = [] {
    Plain p;
    for (std::size_t row = 0; row < rows; ++row) {
      const FeatureView x = data().examples.x(row);
      x.for_each([&](FeatureView::Index i, double v) {
        p.index.push_back(i);
        p.value.push_back(v);
      });
      p.begin.push_back(p.index.size());
      p.squared_norm.push_back(x.squared_norm());
      p.y.push_back(sign(data().labels[row]));
    }
    return p;
  }();
  return made;
}

/// Runs the Perceptron (update on a mistake) or PA (update below margin 1) and returns the number of
/// mistakes.
template <bool passive_aggressive>
std::uint64_t bare_loop() {
  const Plain& p = plain();
  std::vector<double> w(dimension);
  std::uint64_t mistakes = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    double margin = 0;
    for (std::size_t k = p.begin[row]; k < p.begin[row + 1]; ++k) margin += w[p.index[k]] * p.value[k];
    const double y = p.y[row];
    mistakes += (margin > 0) != (y > 0);
    double step = 0;
    if constexpr (passive_aggressive) {
      step = std::max(0.0, 1 - y * margin) / p.squared_norm[row];
    } else {
      step = (margin > 0) != (y > 0) ? 1 : 0;
    }
    if (step == 0) continue;
    for (std::size_t k = p.begin[row]; k < p.begin[row + 1]; ++k) w[p.index[k]] += step * y * p.value[k];
  }
  return mistakes;
}

std::uint64_t sampler_loop(AnySampler& sampler) {
  std::uint64_t mistakes = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const FeatureView x = data().examples.x(row);
    const Label y = data().labels[row];
    const Query query = sampler.ask(x);
    mistakes += query.prediction != y;
    if (query.asked) sampler.tell(x, y, query);
  }
  return mistakes;
}

void rounds_of(benchmark::State& state, const SamplerConfig& config) {
  const bool passive_aggressive = config.update == UpdatePolicy::margin;
  std::vector<double> ratios;
  for ([[maybe_unused]] const auto _ : state) {
    double begin = cpu_seconds();
    const std::uint64_t bare = passive_aggressive ? bare_loop<true>() : bare_loop<false>();
    const double bare_seconds = cpu_seconds() - begin;
    const auto sampler = make_sampler(config, {.dimension = dimension});
    begin = cpu_seconds();
    const std::uint64_t mistakes = sampler_loop(*sampler);
    const double seconds = cpu_seconds() - begin;
    ratios.push_back(seconds / bare_seconds);
    state.SetIterationTime(seconds);
    // The speed counts only if the answer is right: the same algorithm must make the same mistakes.
    const bool same_algorithm = config.learner.name == "perceptron" || config.learner.name == "pa";
    if (same_algorithm && config.rule.name == "always" && mistakes != bare)
      state.SkipWithError("wrong answer");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows));
  state.counters["ratio"] = median(ratios);
}

void register_one(const std::string& name, const SamplerConfig& config) {
  benchmark::RegisterBenchmark(name.c_str(), rounds_of, config)
      ->UseManualTime()
      ->Iterations(21)
      ->Unit(benchmark::kMillisecond);
}

bool takes_the_dimension(const SamplerConfig& config) {
  try {
    make_sampler(config, {.dimension = dimension});
    return true;
  } catch (const ConfigError&) {
    return false;
  }
}

void register_all() {
  for (const LearnerEntry& learner : learner_entries()) {
    SamplerConfig config{.learner = parse_learner(learner.info.name), .rule = parse_rule("always")};
    // bench_second_order and bench_kernel measure second-order and kernel learners.
    if (config.learner.params.contains("form") || config.learner.params.contains("kernel")) continue;
    // So many features are too many for a matrix.
    const bool has_matrix = offers(learner, "spread") && offers(learner, "weights");
    if (has_matrix && !offers(learner, "local-weights")) continue;
    config.update = learner.info.policy;
    if (!takes_the_dimension(config)) continue;  // the cutting planes accept only few features
    register_one(text_of(config.learner) + "+always", config);
  }
  for (const RuleEntry& rule : rule_entries()) {
    if (rule.info.name == "always" || rule.needs_spread) continue;
    SamplerConfig config{.learner = parse_learner("perceptron"), .rule = parse_rule(rule.info.name)};
    register_one("perceptron+" + text_of(config.rule), config);
  }
}

}  // namespace
}  // namespace askfew

int main(int argc, char** argv) {
  askfew::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  std::puts(
      "ratio: time of a round divided by the time of the hand-written loop (perceptron for update on "
      "mistake, pa for update on margin)");
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
