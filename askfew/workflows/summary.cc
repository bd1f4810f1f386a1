#include "askfew/workflows/summary.h"

#include <algorithm>

namespace askfew {
namespace {

void add(Totals& totals, const Tally& tally) {
  totals.rounds += tally.round;
  totals.asked += tally.asked;
  totals.updates += tally.updates;
  totals.spreads += tally.spreads;
  totals.expected_asked += tally.expected_asked;
  totals.expected_asked_at_least += std::max(0.0, tally.expected_asked - tally.expected_slack);
}

/// `share`: weight of the task in the means.
void add(Totals& totals, const Confusion& confusion, double share) {
  totals.positives += confusion.positives();
  totals.mistakes += confusion.mistakes();
  totals.accuracy += confusion.accuracy() * share;
  totals.precision += confusion.precision() * share;
  totals.recall += confusion.recall() * share;
  totals.f1 += confusion.f1() * share;
}

/// Only for topics.
std::optional<std::uint64_t> opened_of(const Model& model) {
  if (model.config.together) return model.tally(0).asked;
  return model.config.labels.kind == LabelPlan::Kind::one_per_label ? model.opened : std::nullopt;
}

std::optional<BudgetSummary> budget_of(const Model& model) {
  const LabelBudget& budget = model.config.sampler.spending.budget;
  if (!budget.is_set()) return std::nullopt;
  return BudgetSummary{.budget = text_of(budget),
                       .horizon = budget.horizon,
                       .over = budget.kind == LabelBudget::Kind::count && budget.horizon > 0 &&
                               model.tally(0).round > budget.horizon,
                       .assumed = assumed_rounds(budget)};
}

}  // namespace

Totals totals_of(const Model& model, std::size_t task) {
  Totals totals;
  add(totals, model.tally(task));
  add(totals, model.tasks[task].confusion, 1);
  totals.updates = model.tasks[task].sampler->tally().updates;
  return totals;
}

Totals totals_of(const Model& model) {
  Totals totals;
  for (std::size_t k = 0; k < model.tasks.size(); ++k) {
    if (model.decisions == nullptr) add(totals, model.tally(k));
    add(totals, model.tasks[k].confusion, 1 / static_cast<double>(model.tasks.size()));
  }
  if (model.decisions != nullptr) {
    add(totals, model.decisions->tally());
  }
  if (model.has_classes()) {
    totals.mistakes /= 2;  // each mistake counts for the predicted class and for the true class
    const auto right = static_cast<double>(totals.rounds - totals.mistakes);
    totals.accuracy = totals.rounds == 0 ? 0 : right / static_cast<double>(totals.rounds);
  }
  return totals;
}

EstimateSummary estimate_of(const QualityMonitor& watch) {
  return {.whole = watch.estimate().whole(),
          .recent = watch.estimate().recent(),
          .changes = watch.changes(),
          .labels = watch.curve().labels(),
          .advice = watch.curve().advice(watch.curve().labels())};
}

InputSummary input_of(const ModelConfig& config) {
  InputSummary input{.kind = config.input, .format = config.input_format, .columns = {}};
  if (!config.schema) return input;
  input.header = config.schema->header;
  for (const TableColumn& column : config.schema->columns)
    input.columns.push_back({column.name, column.kind});
  return input;
}

ModelSummary summary_of(const Model& model) {
  const SamplerConfig& sampler = model.config.sampler;
  ModelSummary summary{.preset = preset_of(sampler),
                       .learner = text_of(sampler.learner),
                       .rule = text_of(sampler.rule),
                       .update = std::string(text_of(sampler.update)),
                       .aim = text_of(sampler.aim),
                       .seed = model.config.seed,
                       .rounds = model.tally(0).round,
                       .seed_labels = model.config.seeds.count,
                       .multiclass = model.has_classes(),
                       .together = model.config.together,
                       .opened = opened_of(model),
                       .truth_known = model.tally(0).round == 0 || model.tasks[0].confusion.rounds() > 0,
                       .budget = budget_of(model),
                       .tasks = {},
                       .all = totals_of(model)};
  const bool drops_labels =
      sampler.update == UpdatePolicy::mistake && summary.budget && !summary.multiclass && !summary.together;
  if (drops_labels && 2 * summary.all.updates < summary.all.asked) {
    summary.unlearned = summary.all.asked - summary.all.updates;
  }
  for (std::size_t k = 0; k < model.tasks.size(); ++k) {
    const Task& task = model.tasks[k];
    TaskSummary of_task{.name = task.name, .totals = totals_of(model, k), .estimate = {}};
    if (task.watch) of_task.estimate = estimate_of(*task.watch);
    summary.tasks.push_back(std::move(of_task));
  }
  return summary;
}

}  // namespace askfew
