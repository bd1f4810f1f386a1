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

/// The decision about a task without its version, which is not stored.
Decision decision_of(const TaskQuestion& question, std::uint32_t task, std::uint32_t people) {
  const Query& query = question.query;
  return {.round = query.round,
          .margin = query.score.margin,
          .probability = query.probability,
          .coin = query.coin,
          .audit = query.audit,
          .audit_coin = query.audit_coin,
          .prediction = question.prediction,
          .people = people,
          .task = task,
          .asked = query.asked,
          .audited = query.audited};
}

/// The smallest |margin| of the labels that are missing.
double doubt_of(const Question& question) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const TaskQuestion& task : question.tasks) {
    if (task.state == QuestionState::waiting) nearest = std::min(nearest, std::abs(task.query.score.margin));
  }
  return nearest;
}

}  // namespace

Session::Session(Model model, const LabelQueue::Options& options, const SharedLimit& memory)
    : model_(std::move(model)),
      memory_(memory),
      queue_(options, memory),
      unit_norm_(learner_info(model_.config.sampler.learner).unit_norm) {
  expect_learnable(options, model_.config);
  set_up_tasks();
  set_up_reader();
  set_up_monitors(std::vector<std::uint64_t>(task_count()));
}

Session::Counts Session::counts() const {
  Counts counts = counts_;
  counts.waiting = queue_.waiting();
  return counts;
}

std::vector<Session::LabelCounts> Session::counts_by_task() const {
  std::vector<LabelCounts> counts = task_counts_;
  for (const LabelQueue::Waiting& waiting : queue_.waiting_questions()) {
    for (std::size_t k = 0; k < waiting.question->tasks.size(); ++k) {
      if (waiting.question->tasks[k].state == QuestionState::waiting) ++counts[k].waiting;
    }
  }
  return counts;
}

Tally Session::tally(std::size_t task) const {
  Tally tally = model_.tally(task);
  if (has_topics()) tally.updates = model_.tasks[task].sampler->tally().updates;
  return tally;
}

Tally Session::tally() const {
  Tally sum = model_.tally(0);
  for (std::size_t k = 1; k < task_count() && model_.decisions == nullptr; ++k) {
    const Tally& tally = model_.tally(k);
    sum.asked += tally.asked;
    sum.audited += tally.audited;
    sum.updates += tally.updates;
    sum.expected_asked += tally.expected_asked;
  }
  return sum;
}

std::optional<std::uint64_t> Session::opened() const {
  return model_.decisions != nullptr ? model_.tally(0).asked : model_.opened;
}

std::vector<LabelQueue::Waiting> Session::pending(const PendingRequest& request) const {
  std::vector<LabelQueue::Waiting> questions = queue_.waiting_questions();
  if (request.order == PendingOrder::doubtful) {
    std::ranges::stable_sort(questions, {},
                             [](const LabelQueue::Waiting& waiting) { return doubt_of(*waiting.question); });
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
    const std::size_t bytes = bytes_of(incoming);
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
  queue_.expire(rounds(), time_, [&](const Question& question) {
    ++counts_.expired;
    for (std::size_t k = 0; k < question.tasks.size(); ++k) {
      if (question.tasks[k].state == QuestionState::waiting) ++task_counts_[k].expired;
    }
  });
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
    for (SessionMonitor& monitor : monitors_) {
      if (is_instance) monitor.add_failure();
    }
    outcome = Refusal{RefusalCode::numeric, error.what()};
  }
  if (is_instance && std::holds_alternative<Refusal>(outcome)) ++counts_.refused;
  return outcome;
}

std::size_t Session::bytes_of(const Incoming& incoming) const {
  return LabelQueue::bytes_of(incoming.id, incoming.example.x(0), incoming.line, task_count());
}

std::optional<Refusal> Session::refusal_of_instance(const Incoming& incoming) const {
  if (memory_ == nullptr) return std::nullopt;
  const std::size_t words = model_.features.growth(incoming.example);
  const std::size_t question = bytes_of(incoming);
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
    Repeat repeat{.round = first->round(), .first = {}};
    for (std::uint32_t k = 0; k < first->tasks.size(); ++k)
      repeat.first.push_back(decision_of(first->tasks[k], k, first->people));
    return repeat;
  }
  if (const Question* known = model_.config.labels.is_shard() ? queue_.find(incoming.id) : nullptr) {
    return Refusal{
        RefusalCode::id_waits,
        fmt::format("the id came before, in round {}: another shard of the topics may wait for its "
                    "labels, so this instance needs a new id",
                    known->round())};
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
  rounds_.resize(task_count());
  tasks_->advance_to(time_ / 1'000'000);
  tasks_->ask(x, rounds_);
  questions_.clear();
  bool is_asked = false;
  for (const Round& round : rounds_) {
    questions_.push_back({.query = round.query,
                          .prediction = round.prediction,
                          .state = round.query.asked ? QuestionState::waiting : QuestionState::unasked});
    is_asked |= round.query.asked;
  }
  if (is_asked && model_.opened) ++*model_.opened;
  const Question question{.x = x,
                          .time = time_,
                          .content = incoming.content,
                          .line = incoming.line,
                          .people = is_asked ? people_for(rounds_[0].query.round) : 1,
                          .tasks = questions_};
  queue_.add(incoming.id, question);
  for (std::size_t k = 0; k < monitors_.size(); ++k) monitors_[k].add(rounds_[k]);
  return decisions(question);
}

Outcome Session::decisions(const Question& question) const {
  const auto of_task = [&](std::uint32_t task) {
    Decision decision = decision_of(question.tasks[task], task, question.people);
    decision.version = model_.tally(task).updates;
    return decision;
  };
  if (!has_topics()) return of_task(0);
  TopicDecisions decisions;
  decisions.topics.reserve(question.tasks.size());
  for (std::uint32_t k = 0; k < question.tasks.size(); ++k) decisions.topics.push_back(of_task(k));
  return decisions;
}

std::vector<Decision> Session::peek(Incoming& incoming) const {
  RowSorter sorter;
  model_.features.apply(incoming.example, 0, 1, sorter);
  const FeatureView x = incoming.example.x(0);
  if (std::string why = complaint_of_norm(x.squared_norm(), unit_norm_); !why.empty())
    throw DataError({.line = incoming.number, .column = 1, .why = std::move(why)});
  std::vector<Round> rounds(task_count());
  tasks_->peek(x, rounds);
  std::vector<Decision> decisions;
  for (std::uint32_t k = 0; k < rounds.size(); ++k) {
    decisions.push_back(decision_of({.query = rounds[k].query, .prediction = rounds[k].prediction}, k, 1));
    decisions.back().version = model_.tally(k).updates;
  }
  return decisions;
}

Session::Explained Session::explain_last(const Incoming& incoming, std::uint32_t task) const {
  const Score score = tasks_->decided_by(task, rounds_);
  return {.why = tasks_->explain(incoming.example.x(0), task, rounds_[task].query, score), .score = score};
}

}  // namespace askfew
