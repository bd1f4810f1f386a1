// What a round of the default sampler costs, as a ratio to a round of pa-log on the same rows in the same
// run; and what steering a rule to a budget costs, as a ratio to the same sampler without a budget whose
// scale was searched for beforehand, so that it asks as many labels. Each repetition runs both, one after the
// other; the ratio is the median of the quotients of their times.

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "askfew/catalog/catalog.h"
#include "askfew/trials/rate_search.h"

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
  if (budget.empty()) return config;
  config.spending.budget = parse_budget(budget);
  config.spending.budget.horizon = rounds;
  return config;
}

double seconds_per_round(const bench::Data& data, const SamplerConfig& config, FeatureView::Index dimension,
                         double& asked) {
  const auto sampler = make_sampler(config, {.dimension = dimension});
  const double seconds = bench::seconds_of([&] {
    for (std::size_t row = 0; row < data.labels.size(); ++row) {
      const FeatureView x = data.examples.x(row);
      const Query query = sampler->ask(x);
      if (query.asked) sampler->tell(x, data.labels[row], query);
    }
  });
  asked = static_cast<double>(sampler->tally().asked) / static_cast<double>(data.labels.size());
  return seconds / static_cast<double>(data.labels.size());
}

void print_ratio(const std::string& what, const bench::Data& data, FeatureView::Index dimension,
                 const SamplerConfig& one, const SamplerConfig& other) {
  std::vector<double> times;
  std::vector<double> ratios;
  double asked = 0;
  double other_asked = 0;
  for (int k = 0; k < repetitions; ++k) {
    const double base = seconds_per_round(data, other, dimension, other_asked);
    times.push_back(seconds_per_round(data, one, dimension, asked));
    ratios.push_back(times.back() / base);
  }
  std::printf("%-60s %8.0f ns %6.2f   asked %5.2f%% against %5.2f%%\n", what.c_str(),
              1e9 * bench::median(times), bench::median(ratios), 100 * asked, 100 * other_asked);
}

/// What a budget costs: against the same sampler without a budget that asks the same share of labels.
void print_pacing(const std::string& preset, const std::string& budget, const std::string& name,
                  const bench::Data& data, FeatureView::Index dimension) {
  const std::size_t rows = data.labels.size();
  const SamplerConfig paced = config_of(preset, budget, rows);
  double share = 0;
  seconds_per_round(data, paced, dimension, share);
  const AtRate unpaced = find_rate(config_of(preset, "", rows), share, [&](const SamplerConfig& config) {
    double asked = 0;
    seconds_per_round(data, config, dimension, asked);
    return asked;
  });
  print_ratio(name + ", " + preset + " with " + budget + " against no budget", data, dimension, paced,
              unpaced.sampler);
}

void run() {
  constexpr std::size_t rows = 20'000;
  std::printf("%-60s %11s %6s\n", "", "a round", "ratio");
  const bench::Data text = bench::text_stream(rows);
  for (const std::string budget : {"1%", "5%", "20%"}) {
    print_ratio("text, auto with " + budget + " against pa-log", text, bench::text_dimension,
                config_of("auto", budget, rows), config_of("pa-log", "", rows));
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
