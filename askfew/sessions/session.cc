#include "askfew/sessions/session.h"

#include <algorithm>
#include <exception>
#include <fmt/core.h>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/models/batch.h"

namespace askfew {
namespace {

/// The decision without its version, which is not stored.
Decision decision_of(const Question& question) {
  const Query& query = question.query;
  return {.round = query.round,
          .margin = query.score.margin,
          .probability = query.probability,
          .coin = query.coin,
          .audit = query.audit,
          .audit_coin = query.audit_coin,
          .prediction = question.prediction,
          .asked = query.asked,
          .audited = query.audited};
}

/// Does the ledger record a refusal for lack of memory?
const Refusal* memory_refusal(const Outcome* recorded) {
  const auto* refusal = recorded == nullptr ? nullptr : std::get_if<Refusal>(recorded);
  return refusal != nullptr && refusal->code == RefusalCode::memory ? refusal : nullptr;
}

}  // namespace

Session::Session(Model model, const LabelQueue::Options& options, const SharedLimit& memory)
    : model_(std::move(model)),
      unit_norm_(learner_info(model_.config.sampler.learner).unit_norm),
      reader_(model_.config),
      memory_(memory),
      queue_(options, memory) {
  if (model_.decisions != nullptr) classes_.emplace(model_.tasks, *model_.decisions);
  const auto& [budget, audit] = model_.config.sampler.spending;
  if (audit > 0 && classes_) class_watch_ = std::make_unique<QualityMonitor>(audit, budget.horizon);
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
    if (queue_.recall(incoming.id, incoming.content) != nullptr) continue;  // a repeat, not a new question
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

Outcome Session::take(Incoming& incoming, std::int64_t time, const Outcome* recorded) {
  advance_to(time);
  const bool is_instance = incoming.kind == Incoming::Kind::instance;
  Outcome outcome;
  try {
    outcome = is_instance ? take_instance(incoming, recorded) : take_label(incoming, recorded);
  } catch (const NumericError& error) {
    if (is_instance && watch_) watch_->add_failure();
    outcome = Refusal{RefusalCode::numeric, error.what()};
  }
  if (is_instance && std::holds_alternative<Refusal>(outcome)) ++counts_.refused;
  return outcome;
}

std::optional<Refusal> Session::refusal_of_instance(const Incoming& incoming) const {
  if (memory_ == nullptr) return std::nullopt;
  const std::size_t words = model_.features.growth(incoming.example);
  const std::size_t question = LabelQueue::bytes_of(incoming.id, incoming.example.x(0));
  if (queue_.fits(question, words)) return std::nullopt;
  return Refusal{RefusalCode::memory,
                 fmt::format("no memory for this instance, so it was not taken: its words may take {}, its "
                             "question {}, and {} of the limit of {} are taken",
                             text_of_bytes(words), text_of_bytes(question), text_of_bytes(memory_->taken()),
                             text_of_bytes(memory_->most()))};
}

Outcome Session::take_instance(Incoming& incoming, const Outcome* recorded) {
  if (const Refusal* refusal = memory_refusal(recorded)) return *refusal;
  const bool may_repeat = recorded == nullptr || std::holds_alternative<Repeat>(*recorded);
  if (const Question* first = queue_.recall(incoming.id, incoming.content); first != nullptr && may_repeat) {
    ++counts_.repeats;
    return Repeat{decision_of(*first)};
  }
  if (const std::uint64_t round = queue_.waits(incoming.id); round > 0) {
    return Refusal{RefusalCode::id_waits,
                   fmt::format("the id waits for its label already, since round {}", round)};
  }
  if (recorded == nullptr) {
    if (auto refusal = refusal_of_instance(incoming)) return *std::move(refusal);
  }
  if (model_.config.input == InputKind::unknown) {
    const bool is_text = reader_.fixed().shape && reader_.fixed().shape->form == JsonRecord::Form::words;
    model_.config.input = is_text ? InputKind::text : InputKind::numbers;
    model_.config.input_format = "jsonl";
  }
  model_.features.finish(incoming.example, 0, 1);
  const FeatureView x = incoming.example.x(0);
  if (std::string why = complaint_of_norm(x.squared_norm(), unit_norm_); !why.empty())
    return Refusal{RefusalCode::norm, std::move(why)};
  const std::uint64_t version = tally().updates;
  const Round round = ask(x);
  const Query& query = round.query;
  last_query_ = query;
  const Question question{
      .x = x, .query = query, .prediction = round.prediction, .time = time_, .content = incoming.content};
  if (query.asked) {
    queue_.add_asked(incoming.id, question);
  } else {
    queue_.add_unasked(incoming.id, question);
  }
  Decision decision = decision_of(question);
  decision.version = version;
  if (watch_) watch_->add(round);
  return decision;
}

Outcome Session::take_label(const Incoming& incoming, const Outcome* recorded) {
  if (const Refusal* refusal = memory_refusal(recorded)) return *refusal;
  bool updated = false;
  std::exception_ptr failure;
  if (const Question* taught = queue_.taught_by(incoming.id, incoming.label)) {
    if (recorded == nullptr && classes_ && memory_ != nullptr && memory_->left() == 0) {
      return Refusal{
          RefusalCode::memory,
          fmt::format("no memory to learn this label, so it was not taken: all {} of the limit are taken",
                      text_of_bytes(memory_->most()))};
    }
    try {
      updated = tell(*taught, *incoming.label);
    } catch (const MemoryError& error) {
      if (recorded != nullptr) throw;
      return Refusal{RefusalCode::memory,
                     fmt::format("no memory to learn this label, so it was not taken: {}", error.what())};
    } catch (const NumericError&) {  // the label counts as answered but cannot be learned
      failure = std::current_exception();
    }
  }
  const auto [outcome, question, before] = queue_.take(incoming.id, incoming.label);
  ++counts_.labels[static_cast<std::size_t>(outcome)];
  LabelReceipt receipt{.outcome = outcome, .label = incoming.label, .updated = updated};
  if (question != nullptr) {
    receipt.round = question->query.round;
    receipt.latency = time_ - question->time;
    const bool is_news = outcome == LabelOutcome::learned || outcome == LabelOutcome::corrected;
    if (is_news && watch_) watch_->label(*question, before);
  }
  if (failure) std::rethrow_exception(failure);
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

Decision Session::peek(Incoming& incoming) const {
  RowSorter sorter;
  model_.features.apply(incoming.example, 0, 1, sorter);
  const FeatureView x = incoming.example.x(0);
  if (std::string why = complaint_of_norm(x.squared_norm(), unit_norm_); !why.empty())
    throw DataError({.line = incoming.number, .column = 1, .why = std::move(why)});
  Round round;
  if (classes_) {
    round = classes_->peek(x);
  } else {
    round.query = model_.tasks[0].sampler->peek(x);
    round.prediction = number_of(round.query.prediction);
  }
  Decision decision = decision_of({.query = round.query, .prediction = round.prediction});
  decision.version = tally().updates;
  return decision;
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
    } catch (const NumericError&) {  // from a single feature
      Query without_features = last_query_;
      without_features.asked = false;
      explained.why = sampler.explain(x, without_features);
    }
  }
  return explained;
}

bool Session::tell(const Question& question, LabelNumber label) {
  if (!classes_) return model_.tasks[0].sampler->tell(question.x, label_of(label), question.query);
  // The learners of the classes learn one after the other, and all must learn or none: one label may take
  // more than is left.
  const MemoryLimit::Lifted lifted(memory_.get());
  return classes_->tell(question.x, label, {.query = question.query, .prediction = question.prediction});
}

}  // namespace askfew
