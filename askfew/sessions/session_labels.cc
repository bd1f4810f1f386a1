#include <algorithm>
#include <exception>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "askfew/config/text.h"
#include "askfew/json/json_text.h"
#include "askfew/sessions/session.h"

// What a session does with labels. A line may have labels for several topics: all of them are taken together.

namespace askfew {
namespace {

/// The question about this task, if it was asked; else null.
const TaskQuestion* asked_task(const Question* question, std::uint32_t task) {
  if (question == nullptr || task >= question->tasks.size()) return nullptr;
  return question->tasks[task].was_asked() ? &question->tasks[task] : nullptr;
}

}  // namespace

void Session::read_answers(const Incoming& incoming) {
  answers_.clear();
  const auto add = [&](const GivenLabel& given) { answers_.push_back({.given = given}); };
  if (incoming.others == OtherTopics::not_told) {
    for (const GivenLabel& given : incoming.labels) add(given);
    return;
  }
  // The topics in question are those that were asked; if none was, all of them. A shard does not know whether
  // another shard has asked.
  const Question* question = queue_.find(incoming.id);
  const bool was_asked = question != nullptr && (question->was_asked() || model_.config.labels.is_shard());
  std::optional<LabelNumber> other;
  if (incoming.others == OtherTopics::negative) other = 0;
  auto named = incoming.labels.begin();
  for (std::uint32_t task = 0; task < task_count(); ++task) {
    if (named != incoming.labels.end() && named->task == task) {
      add(*named++);
    } else if (!was_asked || asked_task(question, task) != nullptr) {
      add({.task = task, .label = other});
    }
  }
}

/// Most labels need no second look at their line.
bool Session::count_votes(const Incoming& incoming) {
  using nlohmann::json;
  const bool needs_line = std::ranges::any_of(answers_, [&](const Answer& answer) {
    return !answer.given.label || queue_.shared(incoming.id, answer.given.task) != nullptr;
  });
  if (!needs_line) return false;
  const json line = try_parse_json(incoming.line);
  if (!line.is_object()) return false;
  const auto is_true = [&](const char* key) { return line.value(key, json()) == json(true); };
  const bool settles = is_true("settles");
  const bool unsure = is_true("unsure");
  std::string by;
  if (const json name = line.value("by", json()); name.is_string()) by = name.get<std::string>();
  for (Answer& answer : answers_) {
    GivenLabel& given = answer.given;
    answer.unsure = unsure && !given.label;
    const Question* shared = queue_.shared(incoming.id, given.task);
    if (shared == nullptr || (settles && given.label)) continue;
    answer.votes =
        queue_.votes_with(incoming.id, given.task, {.by = by, .label = given.label, .unsure = answer.unsure});
    const Ballot ballot = askfew::count(*answer.votes, shared->people);
    const std::optional<LabelNumber> before = shared->tasks[given.task].label;
    answer.decides = !ballot.is_open && !(before && ballot.label == before);
    if (!answer.decides) continue;
    given.label = ballot.label;
    answer.unsure = ballot.unsure;
  }
  return settles;
}

Outcome Session::take_label(const Incoming& incoming, const Outcome* recorded) {
  if (const Refusal* refusal = memory_refusal(recorded)) return *refusal;
  read_answers(incoming);
  const bool settles = count_votes(incoming);
  const Question* question = nullptr;
  for (Answer& answer : answers_) {
    const Question* taught = answer.decides ? queue_.taught_by(incoming.id, answer.given) : nullptr;
    answer.teaches = taught != nullptr;
    if (taught != nullptr) question = taught;
  }
  Learned learned;
  if (question != nullptr) learned = learn(question->x, question, recorded);
  if (learned.refusal) return *learned.refusal;
  close_answers(incoming, settles);
  if (learned.failure) std::rethrow_exception(learned.failure);
  return outcome_of_receipts();
}

Session::Learned Session::learn(const FeatureView& x, const Question* question, const Outcome* recorded) {
  Learned learned;
  const auto taught = std::ranges::count_if(answers_, [](const Answer& answer) { return answer.teaches; });
  // Several learners learn one after the other, and all must learn or none: a line may take more than is
  // left.
  const bool by_several = tasks_->are_classes() || taught > 1;
  if (recorded == nullptr && by_several && memory_ != nullptr && memory_->left() == 0) {
    learned.refusal = {
        RefusalCode::memory,
        fmt::format("no memory to learn this label, so it was not taken: all {} of the limit are taken",
                    text_of_bytes(memory_->most()))};
    return learned;
  }
  const bool are_asked = std::ranges::all_of(answers_, [&](const Answer& answer) {
    return !answer.teaches || asked_task(question, answer.given.task) != nullptr;
  });
  const std::vector<Round> volunteered = are_asked ? std::vector<Round>() : as_asked(x);
  try {
    const MemoryLimit::Lifted lifted(by_several ? memory_.get() : nullptr);
    learned.failure = tell(x, question, volunteered);
  } catch (const MemoryError& error) {
    if (recorded != nullptr) throw;
    learned.refusal = {RefusalCode::memory,
                       fmt::format("no memory to learn this label, so it was not taken: {}", error.what())};
  }
  return learned;
}

std::exception_ptr Session::tell(const FeatureView& x, const Question* question,
                                 std::span<const Round> volunteered) {
  std::exception_ptr failure;
  for (const bool of_asked : {true, false}) {
    const Query* told = nullptr;
    for (Answer& answer : answers_) {
      const auto& [task, label] = answer.given;
      const TaskQuestion* asked = asked_task(question, task);
      if (!answer.teaches || (asked != nullptr) != of_asked) continue;
      const Round of_question =
          asked == nullptr ? Round{} : Round{.query = asked->query, .prediction = asked->prediction};
      const Round& round = asked == nullptr ? volunteered[task] : of_question;
      try {
        answer.updated = tasks_->tell(x, *label, task, round);
        if (asked != nullptr) calibrate(*asked, answer.given);
      } catch (const NumericError&) {
        if (!failure) failure = std::current_exception();
      }
      told = asked == nullptr ? &round.query : &asked->query;
    }
    if (told != nullptr) tasks_->observe(*told);
  }
  return failure;
}

void Session::close_answers(const Incoming& incoming, bool settles) {
  given_.clear();
  for (Answer& answer : answers_) {
    if (answer.votes) answer.is_known = !set_votes(incoming.id, answer.given.task, *answer.votes);
    if (settles && answer.given.label && !answer.votes) queue_.settle(incoming.id, answer.given.task);
    if (answer.decides) given_.push_back(answer.given);
  }
  if (!given_.empty()) queue_.take(incoming.id, given_, taken_);
  const Question* question = queue_.find(incoming.id);
  receipts_.clear();
  auto taken = taken_.begin();
  for (const Answer& answer : answers_) {
    const LabelQueue::Taken voted{.outcome =
                                      answer.is_known ? LabelOutcome::repeated : LabelOutcome::collected};
    add_receipt(answer, answer.decides ? *taken++ : voted, question);
  }
}

void Session::add_receipt(const Answer& answer, const LabelQueue::Taken& taken, const Question* question) {
  const std::uint32_t task = answer.given.task;
  LabelReceipt receipt{.outcome = taken.outcome,
                       .version = model_.tally(task).updates,
                       .label = answer.given.label,
                       .updated = answer.updated,
                       .task = task};
  if (receipt.outcome == LabelOutcome::skipped && answer.unsure && queue_.options().tells_unsure)
    receipt.outcome = LabelOutcome::unsure;
  if (const TaskQuestion* asked = asked_task(question, task)) {
    receipt.round = asked->query.round;
    receipt.latency = time_ - question->time;
    const bool is_news = taken.outcome == LabelOutcome::learned || taken.outcome == LabelOutcome::corrected;
    if (is_news && !monitors_.empty()) monitors_[task].label(*asked, taken.before);
  }
  ++counts_.labels[static_cast<std::size_t>(receipt.outcome)];
  ++task_counts_[task].labels[static_cast<std::size_t>(receipt.outcome)];
  receipts_.push_back(receipt);
}

Outcome Session::outcome_of_receipts() const {
  if (has_topics()) return TopicReceipts{receipts_};
  return receipts_.front();
}

bool Session::set_votes(std::string_view id, std::uint32_t task, const std::vector<Vote>& votes) {
  shared_[task].set(queue_.shared(id, task)->tasks[task].query.round, votes);
  return queue_.set_votes(id, task, votes);
}

Outcome Session::take_labelled(Incoming& incoming, const Outcome* recorded) {
  if (const Refusal* refusal = memory_refusal(recorded)) return *refusal;
  read_answers(incoming);
  std::erase_if(answers_, [](const Answer& answer) { return !answer.given.label; });
  const Question* known = queue_.find(incoming.id);
  const bool repeats = known != nullptr && std::ranges::all_of(answers_, [&](const Answer& answer) {
                         const auto& [task, label] = answer.given;
                         return task < known->tasks.size() && known->tasks[task].label == label;
                       });
  if (repeats || (known != nullptr && known->was_asked())) return take_label(incoming, recorded);
  if (recorded == nullptr) {
    if (auto refusal = refusal_of_instance(incoming)) return *std::move(refusal);
  }
  if (auto refusal = finish_features(incoming)) return *std::move(refusal);
  const FeatureView x = incoming.example.x(0);
  Learned learned;
  if (queue_.options().volunteered == Volunteered::learned) {
    for (Answer& answer : answers_) answer.teaches = true;
    learned = learn(x, nullptr, recorded);
    if (learned.refusal) return *learned.refusal;
  }
  keep_volunteered(incoming, x);
  receipts_.clear();
  for (const Answer& answer : answers_) add_receipt(answer, {.outcome = LabelOutcome::volunteered}, nullptr);
  if (learned.failure) std::rethrow_exception(learned.failure);
  return outcome_of_receipts();
}

void Session::keep_volunteered(const Incoming& incoming, const FeatureView& x) {
  // The decision about an instance that was not asked stays known.
  if (queue_.recall(incoming.id, incoming.content) != nullptr) {
    given_.clear();
    for (const Answer& answer : answers_) given_.push_back(answer.given);
    return queue_.take(incoming.id, given_, taken_);
  }
  questions_.assign(task_count(), {});
  for (const Answer& answer : answers_) questions_[answer.given.task].label = answer.given.label;
  queue_.add(incoming.id, {.x = x, .time = time_, .content = incoming.content, .tasks = questions_});
}

std::vector<Round> Session::as_asked(const FeatureView& x) const {
  std::vector<Round> rounds(task_count());
  tasks_->peek(x, rounds);
  for (Round& round : rounds) {
    round.query.asked = true;
    round.query.probability = 1;
    round.query.coin = 0;
  }
  return rounds;
}

void Session::calibrate(const TaskQuestion& question, const GivenLabel& given) {
  const bool is_positive = tasks_->are_classes() ? question.prediction == given.label : given.label == 1;
  model_.tasks[given.task].calibration.add(question.query.score.margin, label_of(is_positive ? 1 : 0),
                                           question.query.chance());
}

}  // namespace askfew
