#include <exception>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/sessions/session.h"

// What a session does with labels.

namespace askfew {

/// Most labels need no second look at their line.
Session::AnswerNote Session::note_of(const Incoming& incoming) const {
  AnswerNote note{.vote = {.by = {}, .label = incoming.label}};
  if (incoming.label && queue_.shared(incoming.id) == nullptr) return note;
  using nlohmann::json;
  const json line = json::parse(incoming.line, nullptr, false);
  if (!line.is_object()) return note;
  const auto is_true = [&](const char* key) { return line.value(key, json()) == json(true); };
  if (const json by = line.value("by", json()); by.is_string()) note.vote.by = by.get<std::string>();
  note.vote.unsure = !incoming.label && is_true("unsure");
  note.settles = incoming.label && is_true("settles");
  return note;
}

Outcome Session::take_label(const Incoming& incoming, const Outcome* recorded) {
  if (const Refusal* refusal = memory_refusal(recorded)) return *refusal;
  const AnswerNote note = note_of(incoming);
  std::optional<LabelNumber> label = incoming.label;
  bool unsure = note.vote.unsure;
  std::optional<std::vector<Vote>> votes;
  if (const Question* shared = queue_.shared(incoming.id); shared != nullptr && !note.settles) {
    votes = queue_.votes_with(incoming.id, note.vote);
    const Ballot ballot = count(*votes, shared->people);
    if (ballot.is_open || (shared->label && ballot.label == shared->label)) return collect(incoming, *votes);
    label = ballot.label;
    unsure = ballot.unsure;
  }
  Learned learned;
  if (const Question* taught = queue_.taught_by(incoming.id, label)) {
    learned = learn(taught->query.asked ? *taught : as_asked(taught->x), *label, recorded);
    if (learned.refusal) return *learned.refusal;
    if (taught->query.asked && !learned.failure) calibrate(*taught, *label);
  }
  if (votes) set_votes(incoming.id, *votes);
  if (note.settles) queue_.settle(incoming.id);
  auto [outcome, question, before] = queue_.take(incoming.id, label);
  if (outcome == LabelOutcome::skipped && unsure && queue_.options().tells_unsure)
    outcome = LabelOutcome::unsure;
  ++counts_.labels[static_cast<std::size_t>(outcome)];
  LabelReceipt receipt{.outcome = outcome, .label = label, .updated = learned.updated};
  if (question != nullptr) {
    receipt.round = question->query.round;
    receipt.latency = time_ - question->time;
    const bool is_news = outcome == LabelOutcome::learned || outcome == LabelOutcome::corrected;
    if (is_news && watch_) watch_->label(*question, before);
  }
  if (learned.failure) std::rethrow_exception(learned.failure);
  receipt.version = tally().updates;
  return receipt;
}

Outcome Session::collect(const Incoming& incoming, const std::vector<Vote>& votes) {
  const bool is_known = !set_votes(incoming.id, votes);
  const LabelOutcome outcome = is_known ? LabelOutcome::repeated : LabelOutcome::collected;
  ++counts_.labels[static_cast<std::size_t>(outcome)];
  const Question& question = *queue_.shared(incoming.id);
  return LabelReceipt{.outcome = outcome,
                      .round = question.query.round,
                      .latency = time_ - question.time,
                      .version = tally().updates,
                      .label = incoming.label};
}

bool Session::set_votes(std::string_view id, const std::vector<Vote>& votes) {
  const std::uint64_t round = queue_.shared(id)->query.round;
  shared_.set(round, votes);
  return queue_.set_votes(id, votes);
}

Session::Learned Session::learn(const Question& question, LabelNumber label, const Outcome* recorded) {
  Learned learned;
  if (recorded == nullptr && classes_ && memory_ != nullptr && memory_->left() == 0) {
    learned.refusal = {
        RefusalCode::memory,
        fmt::format("no memory to learn this label, so it was not taken: all {} of the limit are taken",
                    text_of_bytes(memory_->most()))};
    return learned;
  }
  try {
    learned.updated = tell(question, label);
  } catch (const MemoryError& error) {
    if (recorded != nullptr) throw;
    learned.refusal = {RefusalCode::memory,
                       fmt::format("no memory to learn this label, so it was not taken: {}", error.what())};
  } catch (const NumericError&) {
    learned.failure = std::current_exception();
  }
  return learned;
}

Outcome Session::take_labelled(Incoming& incoming, const Outcome* recorded) {
  if (const Refusal* refusal = memory_refusal(recorded)) return *refusal;
  if (queue_.was_asked(incoming.id) || queue_.volunteered_label(incoming.id) == incoming.label)
    return take_label(incoming, recorded);
  if (recorded == nullptr) {
    if (auto refusal = refusal_of_instance(incoming)) return *std::move(refusal);
  }
  if (auto refusal = finish_features(incoming)) return *std::move(refusal);
  const FeatureView x = incoming.example.x(0);
  Learned learned;
  if (queue_.options().volunteered == Volunteered::learned) {
    learned = learn(as_asked(x), *incoming.label, recorded);
    if (learned.refusal) return *learned.refusal;
  }
  // The decision about an instance that was not asked stays known.
  if (queue_.recall(incoming.id, incoming.content) != nullptr) {
    static_cast<void>(queue_.take(incoming.id, incoming.label));
  } else {
    queue_.add_known(incoming.id,
                     {.x = x, .time = time_, .content = incoming.content, .label = incoming.label});
  }
  ++counts_.labels[static_cast<std::size_t>(LabelOutcome::volunteered)];
  if (learned.failure) std::rethrow_exception(learned.failure);
  return LabelReceipt{.outcome = LabelOutcome::volunteered,
                      .version = tally().updates,
                      .label = incoming.label,
                      .updated = learned.updated};
}

Question Session::as_asked(const FeatureView& x) const {
  Question question{.x = x};
  if (classes_) {
    const Round round = classes_->peek(x);
    question.query = round.query;
    question.prediction = round.prediction;
  } else {
    question.query = model_.tasks[0].sampler->peek(x);
  }
  question.query.asked = true;
  question.query.probability = 1;
  question.query.coin = 0;
  return question;
}

void Session::calibrate(const Question& question, LabelNumber label) {
  const bool is_positive = classes_ ? question.prediction == label : label == 1;
  model_.tasks[0].calibration.add(question.query.score.margin, label_of(is_positive ? 1 : 0),
                                  question.query.chance());
}

bool Session::tell(const Question& question, LabelNumber label) {
  if (!classes_) return model_.tasks[0].sampler->tell(question.x, label_of(label), question.query);
  // The learners of the classes learn one after the other, and all must learn or none: one label may take
  // more than is left.
  const MemoryLimit::Lifted lifted(memory_.get());
  return classes_->tell(question.x, label, {.query = question.query, .prediction = question.prediction});
}

}  // namespace askfew
