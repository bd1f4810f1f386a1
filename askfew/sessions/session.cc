#include "askfew/sessions/session.h"

#include <algorithm>
#include <fmt/core.h>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/models/batch.h"

namespace askfew {

Session::Session(Model model, const LabelQueue::Options& options, const SharedLimit& memory)
    : model_(std::move(model)),
      unit_norm_(learner_info(model_.config.sampler.learner).unit_norm),
      reader_(model_.config),
      memory_(memory),
      queue_(options, memory) {
  if (model_.decisions != nullptr) classes_.emplace(model_.tasks, *model_.decisions);
  const double audit = model_.config.sampler.spending.audit;
  if (audit > 0 && classes_) class_watch_ = std::make_unique<QualityMonitor>(audit);
  if (audit > 0) watch_.emplace(classes_ ? *class_watch_ : *model_.tasks[0].watch, classes_.has_value());
}

Session::Counts Session::counts() const {
  Counts counts = counts_;
  counts.waiting = queue_.waiting();
  return counts;
}

void Session::admit(std::span<Incoming> lines) const {
  if (memory_ == nullptr) return;
  std::uint64_t waiting = queue_.waiting();
  std::size_t admitted = 0;
  for (Incoming& incoming : lines) {
    if (incoming.kind != Incoming::Kind::instance) continue;
    const std::size_t bytes = LabelQueue::bytes_of(incoming.id, incoming.example.x(0));
    if (queue_.has_room_for(admitted + bytes)) {
      ++waiting;
      admitted += bytes;
      continue;
    }
    incoming.kind = Incoming::Kind::no_room;
    incoming.error.why = fmt::format(
        "no memory for one more question, so the line was not taken: up to {} wait for a label, and all that "
        "are kept have {} of the limit of {}, where learning them may take as much again",
        waiting, text_of_bytes(queue_.bytes() + admitted), text_of_bytes(memory_->most()));
  }
}

void Session::advance_to(std::int64_t time) {
  time_ = std::max(time_, time);
  queue_.expire(tally().round, time_, [&](const Question&) { ++counts_.expired; });
}

Outcome Session::take(Incoming& incoming, std::int64_t time) {
  advance_to(time);
  try {
    return incoming.kind == Incoming::Kind::instance ? take_instance(incoming) : take_label(incoming);
  } catch (const NumericError& error) {
    if (incoming.kind == Incoming::Kind::instance) {
      ++counts_.refused;
      if (watch_) watch_->add_failure();
    }
    return Refusal{error.what()};
  }
}

Outcome Session::take_instance(Incoming& incoming) {
  if (const std::uint64_t round = queue_.waits(incoming.id); round > 0) {
    ++counts_.refused;
    return Refusal{fmt::format("the id waits for its label already, since round {}", round)};
  }
  model_.features.finish(incoming.example, 0, 1);
  const FeatureView x = incoming.example.x(0);
  if (std::string why = complaint_of_norm(x.squared_norm(), unit_norm_); !why.empty()) {
    ++counts_.refused;
    return Refusal{std::move(why)};
  }
  const std::uint64_t version = tally().updates;
  const Round round = ask(x);
  const Query& query = round.query;
  last_query_ = query;
  if (query.asked) {
    queue_.add_asked(incoming.id, {.x = x, .query = query, .prediction = round.prediction, .time = time_});
  } else {
    queue_.add_unasked(incoming.id);
  }
  const Decision decision{.round = query.round,
                          .margin = query.score.margin,
                          .probability = query.probability,
                          .coin = query.coin,
                          .audit = query.audit,
                          .version = version,
                          .prediction = round.prediction,
                          .asked = query.asked,
                          .audited = query.audited};
  if (watch_) watch_->add(round);
  return decision;
}

Outcome Session::take_label(const Incoming& incoming) {
  const auto [outcome, question, before] = queue_.take(incoming.id, incoming.label);
  ++counts_.labels[static_cast<std::size_t>(outcome)];
  LabelReceipt receipt{.outcome = outcome, .label = incoming.label};
  if (question != nullptr) {
    receipt.round = question->query.round;
    receipt.latency = time_ - question->time;
    const bool is_news = outcome == LabelOutcome::learned || outcome == LabelOutcome::corrected;
    if (is_news && watch_) watch_->label(*question, before);
    receipt.updated = is_news && tell(*question);
  }
  receipt.version = tally().updates;
  return receipt;
}

Round Session::ask(const FeatureView& x) {
  const std::int64_t seconds = time_ / 1'000'000;
  if (classes_) {
    model_.decisions->advance_to(seconds);
    return classes_->ask(x);
  }
  model_.tasks[0].sampler->advance_to(seconds);
  const Query query = model_.tasks[0].sampler->ask(x);
  return {.query = query, .prediction = number_of(query.prediction)};
}

Session::Explained Session::explain_last(const Incoming& incoming) const {
  const AnySampler& sampler = *model_.tasks[0].sampler;
  Explained explained{.why = {}, .score = last_query_.score};
  if (classes_) {
    explained.why = model_.decisions->explain(last_query_);
    explained.why.started = sampler.started();
  } else {
    const FeatureView x = incoming.example.x(0);
    try {
      explained.why = sampler.explain(x, last_query_);
    } catch (const NumericError&) {  // of a feature alone
      Query without_features = last_query_;
      without_features.asked = false;
      explained.why = sampler.explain(x, without_features);
    }
  }
  return explained;
}

bool Session::tell(const Question& question) {
  const LabelNumber label = *question.label;
  if (classes_)
    return classes_->tell(question.x, label, {.query = question.query, .prediction = question.prediction});
  return model_.tasks[0].sampler->tell(question.x, label_of(label), question.query);
}

}  // namespace askfew
