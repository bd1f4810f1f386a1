#include <nlohmann/json.hpp>
#include <utility>

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
  return SettingsReceipt{.round = tally().round, .settings = json_of(settings()).dump()};
}

void Session::set_settings(const LiveSettings& settings) {
  expect_learnable(settings.queue, model_.config);
  const bool begins_estimates = !keeps_estimates(model_.config.sampler.spending, settings.spending);
  const bool has_other_labels = settings.labels != model_.config.labels;
  if (has_other_labels || settings.spending != model_.config.sampler.spending) {
    const MemoryLimit::Lifted lifted(memory_.get());  // for a moment there are two models
    model_ = changed_model(model_, settings.spending, settings.labels,
                           {.exactness = Exactness::exact, .memory = memory_});
    if (classes_) classes_.emplace(model_.tasks, *model_.decisions);
    if (begins_estimates) class_watch_.reset();
    const std::uint64_t before = watch_ ? watch_->rounds_before() : 0;
    set_up_monitor(begins_estimates ? tally().round : before);
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

void Session::set_up_monitor(std::uint64_t rounds_before) {
  const auto& [budget, audit] = model_.config.sampler.spending;
  watch_.reset();
  if (audit == 0) return;
  if (classes_ && class_watch_ == nullptr)
    class_watch_ = std::make_unique<QualityMonitor>(audit, budget.horizon);
  watch_.emplace(classes_ ? *class_watch_ : *model_.tasks[0].watch, classes_.has_value(), rounds_before);
}

}  // namespace askfew
