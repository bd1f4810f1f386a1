// What a round of the default sampler costs, as a ratio to a round of pa-log on the same rows in the same
// run; and what steering a rule to a budget costs, as a ratio to the same sampler without a budget that is
// told the same labels, so that both learn the same weights. Each repetition runs both, one after the other;
// the ratio is the median of the quotients of their times.

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "askfew/catalog/catalog.h"

#include "bench/measure.h"
#include "bench/text_stream.h"

namespace askfew {
namespace {

constexpr int repetitions = 11;

/// Ten numbers a row, the labels of a noisy teacher.
bench::Data few_numbers(std::size_t rows) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  bench::Data data;
  for (std::size_t row = 0; row < rows; ++row) {
    data.examples.begin(row + 1);
    double score = normal(random);
    for (FeatureView::Index i = 0; i < 10; ++i) {
      const double value = normal(random);
      score += i % 2 == 0 ? value : -value;
      data.examples.add_feature(i, value);
    }
    data.examples.end_sparse();
    data.labels.push_back(score > 0 ? Label::positive : Label::negative);
  }
  return data;
}

SamplerConfig config_of(const std::string& preset, const std::string& budget, std::size_t rounds) {
  SamplerConfig config = parse_preset(preset);
  config.spending.budget = parse_budget(budget);
  config.spending.budget.horizon = rounds;
  return config;
}

using Rounds = std::vector<char>;  // one for every round: 1 if its label was asked

/// Runs the sampler over the data. It is told the labels that it asks for, or those of `told`. Returns the
/// seconds per round, and which labels were told.
std::pair<double, Rounds> run_sampler(const bench::Data& data, const SamplerConfig& config,
                                      FeatureView::Index dimension, const Rounds* told = nullptr) {
  const auto sampler = make_sampler(config, {.dimension = dimension});
  Rounds asked(data.labels.size());
  const double seconds = bench::seconds_of([&] {
    for (std::size_t row = 0; row < data.labels.size(); ++row) {
      const FeatureView x = data.examples.x(row);
      Query query = sampler->ask(x);
      if (told != nullptr) query.asked = (*told)[row] != 0;
      if (query.asked) sampler->tell(x, data.labels[row], query);
      asked[row] = query.asked ? 1 : 0;
    }
  });
  return {seconds / static_cast<double>(data.labels.size()), asked};
}

double share_of(const Rounds& asked) {
  return static_cast<double>(std::count(asked.begin(), asked.end(), 1)) / static_cast<double>(asked.size());
}

/// `same_labels`: the other sampler is told the labels that the first one asks for.
void print_ratio(const std::string& what, const bench::Data& data, FeatureView::Index dimension,
                 const SamplerConfig& one, const SamplerConfig& other, bool same_labels) {
  std::vector<double> times;
  std::vector<double> ratios;
  Rounds asked;
  Rounds other_asked;
  for (int k = 0; k < repetitions; ++k) {
    double seconds = 0;
    double other_seconds = 0;
    std::tie(seconds, asked) = run_sampler(data, one, dimension);
    std::tie(other_seconds, other_asked) =
        run_sampler(data, other, dimension, same_labels ? &asked : nullptr);
    times.push_back(seconds);
    ratios.push_back(seconds / other_seconds);
  }
  std::printf("%-60s %8.0f ns %6.2f   asked %5.2f%% against %5.2f%%\n", what.c_str(),
              1e9 * bench::median(times), bench::median(ratios), 100 * share_of(asked),
              100 * share_of(other_asked));
}

/// What a budget costs: against the same sampler without a budget that learns the same labels.
void print_pacing(const std::string& preset, const std::string& budget, const std::string& name,
                  const bench::Data& data, FeatureView::Index dimension) {
  print_ratio(name + ", " + preset + " with " + budget + " against no budget", data, dimension,
              config_of(preset, budget, data.labels.size()), parse_preset(preset), true);
}

void run() {
  constexpr std::size_t rows = 20'000;
  std::printf("%-60s %11s %6s\n", "", "a round", "ratio");
  const bench::Data text = bench::text_stream(rows);
  for (const std::string budget : {"1%", "5%", "20%"}) {
    print_ratio("text, auto with " + budget + " against pa-log", text, bench::text_dimension,
                config_of("auto", budget, rows), parse_preset("pa-log"), false);
  }
  for (const std::string preset : {"auto", "pa-log", "sel-p"}) {
    print_pacing(preset, "5%", "text", text, bench::text_dimension);
  }
  constexpr std::size_t many = 200'000;
  const bench::Data numbers = few_numbers(many);
  for (const std::string preset : {"auto", "pa-log", "sel-p"}) {
    print_pacing(preset, "20%", "10 numbers", numbers, 10);
  }
}

}  // namespace
}  // namespace askfew

int main() {
  askfew::run();
  return 0;
}
