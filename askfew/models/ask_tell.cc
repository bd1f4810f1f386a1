#include "askfew/models/ask_tell.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "askfew/models/batch.h"

namespace askfew {
namespace {

/// A multi-class round as the round of one class against the rest.
Round of_class(const Round& round, std::size_t k) {
  Round one = round;
  one.query.score = {};  // the margin does not belong to this class
  one.prediction = round.prediction == k ? 1 : 0;
  return one;
}

}  // namespace

AskTell::AskTell(Model model)
    : model_(std::move(model)),
      tasks_(model_),
      unit_norm_(learner_info(model_.config.sampler.learner).unit_norm) {
  if (model_.config.together) {
    throw ConfigError("this model asks about documents as a whole, which only a run over a stream does");
  }
}

void AskTell::check_norm(const FeatureView& x) const {
  if (std::string why = complaint_of_norm(x.squared_norm(), unit_norm_); !why.empty()) {
    throw DataError({.why = std::move(why)});
  }
}

void AskTell::ask(const FeatureView& x, std::span<Round> rounds) {
  EXPECTS(rounds.size() == rounds_an_instance());
  check_norm(x);
  try {
    tasks_.ask(x, rounds);
  } catch (const NumericError&) {  // a round without a prediction
    for (Task& task : model_.tasks) {
      if (task.watch) task.watch->add({});
    }
    throw;
  }
  const bool is_opened = std::ranges::any_of(rounds, [](const Round& round) { return round.query.asked; });
  if (model_.opened && is_opened) ++*model_.opened;
  watch(rounds);
}

void AskTell::watch(std::span<const Round> rounds) {
  for (std::size_t k = 0; k < model_.tasks.size(); ++k) {
    if (model_.tasks[k].watch)
      model_.tasks[k].watch->add(tasks_.are_classes() ? of_class(rounds[0], k) : rounds[k]);
  }
}

void AskTell::peek(const FeatureView& x, std::span<Round> rounds) const {
  EXPECTS(rounds.size() == rounds_an_instance());
  check_norm(x);
  tasks_.peek(x, rounds);
}

bool AskTell::tell(const FeatureView& x, LabelNumber label, std::size_t task, const Round& round) {
  const bool updated = tasks_.tell(x, label, task, round);
  const bool are_classes = tasks_.are_classes();
  const bool is_positive = are_classes ? round.prediction == label : label == 1;
  model_.tasks[task].calibration.add(round.query.score.margin, label_of(is_positive ? 1 : 0),
                                     round.query.chance());
  for (std::size_t k = are_classes ? 0 : task; k < (are_classes ? model_.tasks.size() : task + 1); ++k) {
    if (!model_.tasks[k].watch) continue;
    const bool predicted = are_classes ? round.prediction == k : round.prediction == 1;
    const bool is_one = are_classes ? label == k : label == 1;
    model_.tasks[k].watch->label({.round = round.query.round,
                                  .prediction = label_of(predicted ? 1 : 0),
                                  .truth = label_of(is_one ? 1 : 0),
                                  .chance = round.query.chance(),
                                  .margin = are_classes ? 0 : round.query.score.margin});
  }
  return updated;
}

void AskTell::margins(const FeatureView& x, std::span<double> margins) const {
  for (std::size_t k = 0; k < model_.tasks.size(); ++k) {
    margins[k] = model_.tasks[k].sampler->margin(x);
    if (!std::isfinite(margins[k])) throw NumericError("the margin is not finite", model_.tally(k).round, k);
  }
}

std::uint64_t AskTell::run(MemoryRows& rows, std::span<const Label> labels,
                           std::span<const std::int64_t> times, const RunLoopOptions& options) {
  MemoryBatch batch(rows, labels, model_.tasks.size(), times, model_.config.features,
                    {.features = &model_.features,
                     .unit_norm = unit_norm_,
                     .timed = model_.config.sampler.spending.budget.kind == LabelBudget::Kind::period});
  RunLoopOptions loop = options;
  if (model_.opened) loop.opened = &*model_.opened;
  const auto rounds = run_loop(batch, model_.task_set(), loop);
  if (!rounds) throw DataError(rounds.error());
  return *rounds;
}

}  // namespace askfew
