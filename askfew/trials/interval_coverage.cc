#include "askfew/trials/interval_coverage.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/core/shuffled.h"
#include "askfew/estimates/estimate.h"

namespace askfew {
namespace {

using nlohmann::json;

/// One figure of one run.
struct Held {
  bool now = true;
  bool always = true;
  double width = 0;

  void look(const Estimated& figure, double truth) {
    // Counts are exact, quotients are rounded.
    now = figure.interval.low <= truth + 1e-12 && truth <= figure.interval.high + 1e-12;
    always = always && now;
    width = figure.interval.high - figure.interval.low;
  }
};

json json_of(const Held& held) {
  return {{"at_end", held.now}, {"always", held.always}, {"width", held.width}};
}

/// The true figures of the last rounds of a run.
class RecentTruth {
 public:
  void add(Label prediction, Label truth) { rounds_.push_back({prediction, truth}); }
  [[nodiscard]] Confusion last(std::uint64_t rounds) const {
    Confusion confusion;
    for (auto round = rounds_.end() - static_cast<std::ptrdiff_t>(rounds); round != rounds_.end(); ++round) {
      confusion.add(round->first, round->second);
    }
    return confusion;
  }

 private:
  std::vector<std::pair<Label, Label>> rounds_;
};

json measure(const Dataset& data, const CoveragePlan& plan, std::uint64_t run,
             const std::shared_ptr<MemoryLimit>& memory) {
  Task task =
      task_of(data, {.sampler = plan.sampler, .seed = plan.seed + run, .memory = memory}, Exactness::exact);
  const Spending& spending = plan.sampler.spending;
  Estimate estimate(spending.audit, 0, spending.budget.horizon);
  RecentTruth recent_truth;
  Held error;
  Held precision;
  Held recall;
  Held f1;
  Held recent_error;
  Held recent_f1;
  const Confusion& truth = task.confusion;
  run_rows(data, in_order(data.size()), 0, task, [&](const Round& round) {
    const Query& query = round.query;
    const Label y = label_of(*round.label);
    recent_truth.add(query.prediction, y);
    const double margin = query.score.margin;
    const double chance = query.chance();
    estimate.add({.prediction = query.prediction, .margin = margin, .chance = chance, .asked = query.asked});
    if (query.asked) {
      estimate.label({.round = query.round,
                      .prediction = query.prediction,
                      .truth = y,
                      .chance = chance,
                      .margin = margin});
    }
    if (query.round % plan.every != 0 && query.round != data.size()) return true;
    const Quality whole = estimate.whole(plan.alpha);
    const Quality recent = estimate.recent(plan.alpha);
    const Confusion last = recent_truth.last(recent.rounds);
    error.look(whole.error, 1 - truth.accuracy());
    precision.look(whole.precision, truth.precision());
    recall.look(whole.recall, truth.recall());
    f1.look(whole.f1, truth.f1());
    recent_error.look(recent.error, 1 - last.accuracy());
    recent_f1.look(recent.f1, last.f1());
    return true;
  });
  return {{"error", json_of(error)},
          {"precision", json_of(precision)},
          {"recall", json_of(recall)},
          {"f1", json_of(f1)},
          {"recent_error", json_of(recent_error)},
          {"recent_f1", json_of(recent_f1)},
          {"share", static_cast<double>(task.sampler->tally().asked) / static_cast<double>(data.size())},
          {"true_error", 1 - truth.accuracy()},
          {"true_f1", truth.f1()}};
}

double mean_of(const std::vector<json>& runs, const std::string& name) {
  double sum = 0;
  for (const json& run : runs) sum += run.at(name).get<double>();
  return sum / static_cast<double>(runs.size());
}

Covered covered(const std::vector<json>& runs, const std::string& name) {
  Covered covered;
  const double part = 1 / static_cast<double>(runs.size());
  std::vector<double> widths;
  for (const json& run : runs) {
    const json& held = run.at(name);
    if (held.at("at_end").get<bool>()) covered.at_end += part;
    if (held.at("always").get<bool>()) covered.always += part;
    widths.push_back(held.at("width").get<double>());
  }
  const auto middle = widths.begin() + static_cast<std::ptrdiff_t>(widths.size() / 2);
  std::nth_element(widths.begin(), middle, widths.end());
  covered.width = *middle;
  return covered;
}

}  // namespace

Coverage interval_coverage(const Dataset& data, const CoveragePlan& plan, const JobsOptions& options) {
  if (plan.sampler.spending.audit <= 0) throw ConfigError("coverage needs an audit");
  std::vector<Job> jobs;
  for (std::uint64_t run = 0; run < plan.runs; ++run) {
    jobs.push_back({.key = fmt::format("coverage {}", plan.seed + run),
                    .work = [&, run] { return measure(data, plan, run, options.memory_of_job(plan.runs)); }});
  }
  const std::vector<json> runs = run_jobs(jobs, options);
  return {.error = covered(runs, "error"),
          .precision = covered(runs, "precision"),
          .recall = covered(runs, "recall"),
          .f1 = covered(runs, "f1"),
          .recent_error = covered(runs, "recent_error"),
          .recent_f1 = covered(runs, "recent_f1"),
          .share = mean_of(runs, "share"),
          .true_error = mean_of(runs, "true_error"),
          .true_f1 = mean_of(runs, "true_f1")};
}

}  // namespace askfew
