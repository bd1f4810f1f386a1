#include "askfew/models/live_tasks.h"

#include <exception>

#include "askfew/core/expects.h"

namespace askfew {

LiveTasks::LiveTasks(Model& model) : tasks_(model.tasks), decisions_(model.decisions.get()) {
  if (decisions_ == nullptr) return;
  if (model.has_classes()) {
    classes_.emplace(tasks_, *decisions_);
  } else {
    together_.emplace(tasks_, *decisions_);
  }
}

void LiveTasks::advance_to(std::int64_t time) {
  for (Task& task : tasks_) task.sampler->advance_to(time);
  if (decisions_ != nullptr) decisions_->advance_to(time);
}

void LiveTasks::ask(const FeatureView& x, std::span<Round> rounds) {
  EXPECTS(rounds.size() == rounds_an_instance());
  if (classes_) {
    rounds[0] = classes_->ask(x);
    return;
  }
  if (together_) return together_->ask(x, rounds);
  std::exception_ptr failure;
  for (std::size_t k = 0; k < tasks_.size(); ++k) {
    try {
      const Query query = tasks_[k].sampler->ask(x);
      rounds[k] = {.query = query, .prediction = number_of(query.prediction)};
    } catch (const NumericError&) {
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void LiveTasks::peek(const FeatureView& x, std::span<Round> rounds) const {
  EXPECTS(rounds.size() == rounds_an_instance());
  if (classes_) {
    rounds[0] = classes_->peek(x);
    return;
  }
  if (together_) return together_->peek(x, rounds);
  for (std::size_t k = 0; k < tasks_.size(); ++k) {
    const Query query = tasks_[k].sampler->peek(x);
    rounds[k] = {.query = query, .prediction = number_of(query.prediction)};
  }
}

bool LiveTasks::tell(const FeatureView& x, LabelNumber label, std::size_t task, const Round& round) {
  if (classes_) return classes_->tell(x, label, round);
  if (together_) return together_->tell(x, label_of(label), task, round);
  return tasks_[task].sampler->tell(x, label_of(label), round.query);
}

void LiveTasks::observe(const Query& query) {
  if (together_) together_->observe(query);
}

Explanation LiveTasks::explain_task(const FeatureView& x, std::size_t task, const Query& query) const {
  const AnySampler& sampler = *tasks_[task].sampler;
  try {
    return sampler.explain(x, query);
  } catch (const NumericError&) {  // from a single feature
    Query without_features = query;
    without_features.asked = false;
    return sampler.explain(x, without_features);
  }
}

Explanation LiveTasks::explain(const FeatureView& x, std::size_t task, const Query& query,
                               const Score& decided_by) const {
  if (decisions_ == nullptr) return explain_task(x, task, query);
  Query common = query;
  common.score = decided_by;
  Explanation why = decisions_->explain(common);
  if (together_) why.heaviest = explain_task(x, task, query).heaviest;
  why.started = tasks_[0].sampler->started();
  return why;
}

}  // namespace askfew
