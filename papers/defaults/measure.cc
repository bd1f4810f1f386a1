#include "papers/defaults/measure.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace askfew::defaults {
namespace {

using nlohmann::json;

constexpr std::uint64_t first_labels = 50;  // before them the larger class is not known

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Counts a run beside always calling the class that was told more often.
struct Watch {
  std::uint64_t told_positive = 0;
  std::uint64_t told = 0;
  std::uint64_t rounds = 0;
  std::uint64_t mistakes = 0;
  std::uint64_t majority_mistakes = 0;

  void see(const Round& round) {
    const LabelNumber truth = *round.label;
    if (told >= first_labels) {
      const LabelNumber majority = 2 * told_positive > told ? 1 : 0;
      ++rounds;
      mistakes += round.prediction != truth ? 1U : 0U;
      majority_mistakes += majority != truth ? 1U : 0U;
    }
    if (!round.query.asked) return;
    ++told;
    told_positive += truth;
  }
  [[nodiscard]] double above_majority() const {
    if (rounds < 300) return -100;
    const auto others = static_cast<double>(majority_mistakes);
    const double variance = std::max(1.0, others * (1 - others / static_cast<double>(rounds)));
    return (static_cast<double>(mistakes) - others) / std::sqrt(variance);
  }
};

}  // namespace

LabelBudget share_of_labels(double share) {
  LabelBudget budget;
  budget.kind = LabelBudget::Kind::share;
  budget.amount = share;
  return budget;
}

LabelBudget count_of_labels(double count) {
  LabelBudget budget;
  budget.kind = LabelBudget::Kind::count;
  budget.amount = count;
  return budget;
}

json measure(const Variant& variant, const SamplerConfig& sampler, const LabelBudget& budget,
             std::size_t runs, std::uint64_t seed) {
  Cell cell;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const std::vector<std::uint32_t> rows = variant.rows(seed, run);
    SamplerConfig config = sampler;
    config.spending.budget = budget;
    config.spending.budget.plan = sampler.spending.budget.plan;
    config.spending.budget.horizon = rows.size();
    const double labels = budget.kind == LabelBudget::Kind::count
                              ? budget.amount
                              : std::floor(labels_in(budget.amount, static_cast<double>(rows.size())));
    for (std::size_t number = 0; number < variant.data->tasks(); ++number) {
      Task task = task_of(*variant.data, {.sampler = config, .seed = seed + run, .task = number});
      Watch watch;
      run_rows(*variant.data, rows, number, task, [&](const Round& round) {
        watch.see(round);
        return true;
      });
      cell.errors.push_back(1 - task.confusion.accuracy());
      cell.f1.push_back(task.confusion.f1());
      cell.spent.push_back(static_cast<double>(task.sampler->tally().asked) / labels);
      cell.above_majority.push_back(watch.above_majority());
    }
    cell.rounds = rows.size();
  }
  return {{"errors", cell.errors},
          {"f1", cell.f1},
          {"spent", cell.spent},
          {"above_majority", cell.above_majority},
          {"rounds", cell.rounds}};
}

Cell cell_of(const json& measured) {
  return {.errors = measured.at("errors"),
          .f1 = measured.at("f1"),
          .spent = measured.at("spent"),
          .above_majority = measured.at("above_majority"),
          .rounds = measured.at("rounds")};
}

double Cell::error() const {
  return mean_of(errors);
}

double Cell::f_missed() const {
  return 1 - mean_of(f1);
}

double Cell::standard_error() const {
  double variance = 0;
  for (const double e : errors) variance += e * (1 - e) / static_cast<double>(rounds);
  return std::sqrt(variance) / static_cast<double>(errors.size());
}

}  // namespace askfew::defaults
