#include "askfew/sessions/session.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <limits>
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
          .people = question.people,
          .asked = query.asked,
          .audited = query.audited};
}

}  // namespace

Session::Session(Model model, const LabelQueue::Options& options, const SharedLimit& memory)
    : model_(std::move(model)),
      unit_norm_(learner_info(model_.config.sampler.learner).unit_norm),
      memory_(memory),
      queue_(options, memory) {
  if (model_.decisions != nullptr) classes_.emplace(model_.tasks, *model_.decisions);
  expect_learnable(options, model_.config);
  set_up_reader();
  set_up_monitor(0);
}

Session::Counts Session::counts() const {
  Counts counts = counts_;
  counts.waiting = queue_.waiting();
  return counts;
}

std::vector<LabelQueue::Waiting> Session::pending(const PendingRequest& request) const {
  std::vector<LabelQueue::Waiting> questions = queue_.waiting_questions();
  if (request.order == PendingOrder::doubtful) {
    std::ranges::stable_sort(questions, {}, [](const LabelQueue::Waiting& waiting) {
      return std::abs(waiting.question->query.score.margin);
    });
  }
  if (questions.size() > request.limit) questions.resize(request.limit);
  return questions;
}

std::vector<LabelQueue::Waiting> Session::disputed(std::uint64_t limit) const {
  std::vector<LabelQueue::Waiting> questions = queue_.disputed_questions();
  if (questions.size() > limit) questions.resize(limit);
  return questions;
}

std::uint32_t Session::people_for(std::uint64_t round) const {
  const Overlap& overlap = queue_.options().overlap;
  constexpr std::uint64_t no_task = std::numeric_limits<std::uint64_t>::max();
  if (overlap.share == 0 || Coin({.seed = model_.config.seed, .task = no_task})(round) >= overlap.share)
    return 1;
  return overlap.people;
}

void Session::admit(std::span<Incoming> lines) const {
  if (memory_ == nullptr) return;
  std::uint64_t waiting = queue_.waiting();
  std::size_t admitted = 0;
  for (Incoming& incoming : lines) {
    if (incoming.kind != Incoming::Kind::instance && incoming.kind != Incoming::Kind::labelled) continue;
    if (queue_.recall(incoming.id, incoming.content) != nullptr) continue;  // a repeat, not a new question
    const std::size_t bytes = LabelQueue::bytes_of(incoming.id, incoming.example.x(0), incoming.line);
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
    if (is_instance) {
      outcome = take_instance(incoming, recorded);
    } else if (incoming.kind == Incoming::Kind::labelled) {
      outcome = take_labelled(incoming, recorded);
    } else if (incoming.kind == Incoming::Kind::settings) {
      outcome = take_settings(incoming.settings);
    } else {
      outcome = take_label(incoming, recorded);
    }
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
  const std::size_t question = LabelQueue::bytes_of(incoming.id, incoming.example.x(0), incoming.line);
  if (queue_.fits(question, words)) return std::nullopt;
  return Refusal{RefusalCode::memory,
                 fmt::format("no memory for this instance, so it was not taken: its words may take {}, its "
                             "question {}, and {} of the limit of {} are taken",
                             text_of_bytes(words), text_of_bytes(question), text_of_bytes(memory_->taken()),
                             text_of_bytes(memory_->most()))};
}

std::optional<Refusal> Session::finish_features(Incoming& incoming) {
  if (model_.config.input == InputKind::unknown) {
    const bool is_text = reader_->fixed().shape && reader_->fixed().shape->form == JsonRecord::Form::words;
    model_.config.input = is_text ? InputKind::text : InputKind::numbers;
    model_.config.input_format = "jsonl";
  }
  model_.features.finish(incoming.example, 0, 1);
  std::string why = complaint_of_norm(incoming.example.x(0).squared_norm(), unit_norm_);
  if (why.empty()) return std::nullopt;
  return Refusal{RefusalCode::norm, std::move(why)};
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
  if (auto refusal = finish_features(incoming)) return *std::move(refusal);
  const FeatureView x = incoming.example.x(0);
  const std::uint64_t version = tally().updates;
  const Round round = ask(x);
  const Query& query = round.query;
  last_query_ = query;
  const Question question{.x = x,
                          .query = query,
                          .prediction = round.prediction,
                          .time = time_,
                          .content = incoming.content,
                          .line = incoming.line,
                          .people = query.asked ? people_for(query.round) : 1};
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

}  // namespace askfew
