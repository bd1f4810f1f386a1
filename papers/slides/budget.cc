#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "askfew/core/shuffled.h"
#include "askfew/streams/formats/synthetic/synthetic.h"
#include "askfew/streams/open.h"
#include "askfew/theory/bounds.h"
#include "askfew/trials/dataset.h"
#include "askfew/trials/statistics.h"
#include "askfew/trials/trial.h"

#include "papers/slides/beyond_budget.h"
#include "papers/slides/paper.h"
#include "papers/slides/parts.h"

namespace askfew::slides {
namespace {

using nlohmann::json;

constexpr std::array budgets{25, 50, 100, 200, 400, 800, 1600};

struct BudgetPlan {
  std::uint64_t rounds = 0;
  std::uint64_t seeds = 1;
};
BudgetPlan budget_plan(bool quick) {
  return quick ? BudgetPlan{.rounds = 2000, .seeds = 4} : BudgetPlan{.rounds = 10'000, .seeds = 20};
}

std::string stream_of(const BudgetPlan& plan, bool drifting, std::uint64_t seed) {
  return fmt::format("synthetic:shifting-gaussian:d=50,n={},switch={},seed={}", plan.rounds,
                     drifting ? 500 : plan.rounds, seed);
}

/// Twice the Perceptron's bound against the first teacher, scaled to norm U with U^2 = B/2, so that e = 1.
double twice_the_bound(const Dataset& data, const Generator& generator, double budget) {
  std::vector<double> u = generator.teacher(1);
  const double norm = std::sqrt(budget / 2);
  const double scale = norm / std::sqrt(FeatureView::sum_of_squares(u));
  Comparator comparator{.norm = norm, .gamma = 1, .loss = 0, .longest = 1};
  for (std::size_t row = 0; row < data.size(); ++row) {
    double ux = 0;
    data.x(row).for_each([&](FeatureView::Index i, double v) { ux += scale * u[i] * v; });
    comparator.loss += std::max(0.0, 1 - sign(data.label(row, 0)) * ux);
  }
  return 2 * perceptron_bound(comparator);
}

/// Counts the mistakes with all budgets, then of the Perceptron, and computes the bounds.
json run_budgets(const std::string& stream, std::uint64_t seed) {
  const FeatureOptions norms{.normalize = true};
  const auto examples = open_stream(stream, {.features = norms});
  FeatureState features(norms);
  const Dataset data = Dataset::read(*examples, Labelling::plain(), features);
  const auto generator = make_generator(stream);
  const auto mistakes_of = [&](const std::string& learner) {
    return run_trial(data, in_order(data.size()), {.sampler = supervised(learner), .seed = seed})
        .confusion.mistakes();
  };
  json result;
  for (const int budget : budgets) {
    result["mistakes"].push_back(mistakes_of(fmt::format("budget:B={}", budget)));
    result["bounds"].push_back(twice_the_bound(data, *generator, budget));
  }
  result["mistakes"].push_back(mistakes_of("perceptron"));
  return result;
}

/// Mistakes on one stream in percent: of all budgets, then of the Perceptron.
struct Line {
  std::string title;
  std::vector<Sample> percent;
};

std::vector<double> in_percent(std::span<const json> results, std::size_t place, std::uint64_t rounds) {
  std::vector<double> values;
  for (const json& result : results) {
    values.push_back(100 * result.at("mistakes")[place].get<double>() / static_cast<double>(rounds));
  }
  return values;
}

/// The smallest B with the fewest mistakes.
int best_budget(const Line& line) {
  const auto best = std::min_element(line.percent.begin(), line.percent.begin() + budgets.size(),
                                     [](const Sample& a, const Sample& b) { return a.mean < b.mean; });
  return budgets.at(static_cast<std::size_t>(best - line.percent.begin()));
}

Figure figure_of(const std::vector<Line>& lines) {
  Figure figure{.title = "",
                .x = {.title = "B, the largest number of supports", .logarithmic = true},
                .y = {.title = "mistakes, %"}};
  for (const Line& line : lines) {
    Series budgeted{.title = line.title};
    Series unlimited{.title = "Perceptron, " + line.title, .style = Series::Style::lines};
    for (std::size_t k = 0; k < budgets.size(); ++k) {
      const Sample& sample = line.percent[k];
      budgeted.x.push_back(budgets.at(k));
      budgeted.y.push_back(sample.mean);
      budgeted.low.push_back(sample.mean - sample.half_width);
      budgeted.high.push_back(sample.mean + sample.half_width);
      unlimited.x.push_back(budgets.at(k));
      unlimited.y.push_back(line.percent.back().mean);
    }
    figure.series.push_back(budgeted);
    figure.series.push_back(unlimited);
  }
  return figure;
}

Table table_of(const std::vector<Line>& lines) {
  Table table{.caption = "Mistakes in percent of the rounds", .columns = {"stream"}};
  for (const int budget : budgets) table.columns.push_back(fmt::format("B = {}", budget));
  table.columns.emplace_back("Perceptron");
  for (const Line& line : lines) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(line.title);
    for (const Sample& sample : line.percent)
      row.push_back(fmt::format("{:.1f} ± {:.1f}", sample.mean, sample.half_width));
  }
  return table;
}

}  // namespace

void add_budget(const ExperimentContext& context, ExperimentReport& report) {
  const BudgetPlan plan = budget_plan(context.quick);
  std::vector<Job> jobs;
  for (const bool drifting : {false, true}) {
    for (std::uint64_t k = 0; k < plan.seeds; ++k) {
      const std::uint64_t seed = context.seed * 1000 + k;
      const std::string stream = stream_of(plan, drifting, seed);
      jobs.push_back({.key = fmt::format("budget {} B {}", stream, fmt::join(budgets, ",")),
                      .cost = 1,
                      .work = [stream, seed] { return run_budgets(stream, seed); }});
    }
  }
  const std::vector<json> results = run_jobs(jobs, context.jobs);
  std::vector<Line> lines{{.title = "stationary", .percent = {}}, {.title = "shifting", .percent = {}}};
  for (std::size_t line = 0; line < lines.size(); ++line) {
    const auto own = std::span(results).subspan(line * plan.seeds, plan.seeds);
    for (std::size_t place = 0; place <= budgets.size(); ++place) {
      lines[line].percent.push_back(sample_of(in_percent(own, place, plan.rounds)));
      report.figures["budget"].push_back({{"stream", lines[line].title},
                                          {"B", place < budgets.size() ? json(budgets.at(place)) : json()},
                                          {"mistakes_percent", lines[line].percent.back().mean},
                                          {"half_width", lines[line].percent.back().half_width}});
    }
  }
  double worst = 0;
  for (std::uint64_t k = 0; k < plan.seeds; ++k) {
    for (std::size_t b = 0; b < budgets.size(); ++b) {
      worst = std::max(worst,
                       results[k].at("mistakes")[b].get<double>() / results[k].at("bounds")[b].get<double>());
    }
  }
  Page& page = report.page;
  page.heading("The Randomized Budget Perceptron");
  page.verdict(verdict_beyond_budget());
  page.verdict({.holds = worst <= 1,
                .claim = std::string(budget_bound),
                .found = fmt::format("On stationary streams, with the teacher scaled to norm U: at most "
                                     "{:.0f}% of this bound in any run.",
                                     100 * worst)});
  page.paragraph(fmt::format(
      "The slides show the Perceptron with a budget on a stationary and on a drifting stream, in pictures "
      "without numbers. Here the streams have {} rounds of Gaussian instances in 50 dimensions, scaled to "
      "norm 1. The labels come from one vector, or from another vector every 500 rounds; {} seeds. The best "
      "B is {} on the stationary and {} on the shifting stream.",
      plan.rounds, plan.seeds, best_budget(lines[0]), best_budget(lines[1])));
  page.figure(figure_of(lines), "Mistakes in percent of the rounds, mean and 95% interval over the seeds.");
  page.table(table_of(lines));
}

}  // namespace askfew::slides
