#include <nlohmann/json.hpp>
#include <utility>

#include "askfew/json/json_text.h"
#include "askfew/sessions/session.h"

// The settings of a session that may change while it runs.

namespace askfew {

LiveSettings Session::settings() const {
  return {.spending = model_.config.sampler.spending,
          .labels = model_.config.labels,
          .queue = queue_.options(),
          .annotators = annotators_};
}

Outcome Session::take_settings(const SettingsChange& change) {
  try {
    set_settings(changed(settings(), change));
  } catch (const ConfigError& error) {
    return Refusal{RefusalCode::settings, error.what()};
  }
  return SettingsReceipt{.round = rounds(), .settings = json_text(json_of(settings()))};
}

void Session::set_settings(const LiveSettings& settings) {
  expect_learnable(settings.queue, model_.config);
  const bool begins_estimates = !keeps_estimates(model_.config.sampler.spending, settings.spending);
  const bool has_other_labels = settings.labels != model_.config.labels;
  if (has_other_labels || settings.spending != model_.config.sampler.spending) {
    const MemoryLimit::Lifted lifted(memory_.get());  // for a moment there are two models
    model_ = changed_model(model_, settings.spending, settings.labels,
                           {.exactness = Exactness::exact, .memory = memory_});
    set_up_tasks();
    std::vector<std::uint64_t> rounds_before;
    for (std::size_t k = 0; k < task_count(); ++k) {
      const bool goes_on = !begins_estimates && k < monitors_.size();
      rounds_before.push_back(goes_on ? monitors_[k].rounds_before() : model_.tally(k).round);
    }
    if (begins_estimates) class_watch_.reset();
    set_up_monitors(rounds_before);
  }
  queue_.set_options(settings.queue);
  annotators_ = settings.annotators;
  set_up_reader();
}

void Session::set_up_reader() {
  IncomingReader::Fixed fixed;
  if (reader_) fixed = reader_->fixed();
  reader_.emplace(model_.config);
  reader_->set_fixed(fixed);
  reader_->take_labelled(queue_.options().volunteered != Volunteered::refused);
}

void Session::set_up_tasks() {
  tasks_.emplace(model_);
  if (queue_.options().mixes_late) tasks_->mix_late_labels();
  shared_.resize(task_count());
  task_counts_.resize(task_count());
}

void Session::set_up_monitors(std::span<const std::uint64_t> rounds_before) {
  const Spending& spending = model_.config.sampler.spending;
  monitors_.clear();
  if (spending.audit == 0) return;
  const bool are_classes = tasks_->are_classes();
  if (are_classes && class_watch_ == nullptr) class_watch_ = make_watch(spending);
  for (std::size_t k = 0; k < task_count(); ++k)
    monitors_.emplace_back(are_classes ? *class_watch_ : *model_.tasks[k].watch, are_classes,
                           rounds_before[k]);
}

}  // namespace askfew
