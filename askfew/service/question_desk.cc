#include "askfew/service/question_desk.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "askfew/core/errors.h"
#include "askfew/json/json_text.h"

namespace askfew {
namespace {

using nlohmann::json;

std::string text_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The time that the person needed, as the page measured it.
std::optional<double> seconds_of(const json& answer) {
  const auto found = answer.find("seconds");
  if (found == answer.end() || !found->is_number()) return std::nullopt;
  const double seconds = found->get<double>();
  return seconds >= 0 ? std::optional(seconds) : std::nullopt;
}

/// The label line as an object; the engine has understood the line, so that it is one.
json object_of(std::string_view line) {
  json object = try_parse_json(line);
  return object.is_object() ? object : json::object();
}

/// What became of an answer: learned if a label of it was.
const LabelReceipt* main_receipt(std::span<const LabelReceipt> receipts) {
  const LabelReceipt* main = nullptr;
  for (const LabelReceipt& receipt : receipts) {
    if (receipt.round == 0) continue;
    if (main == nullptr ||
        (main->outcome != LabelOutcome::learned && receipt.outcome == LabelOutcome::learned))
      main = &receipt;
  }
  return main;
}

bool has_label(const Incoming& incoming) {
  return incoming.others == OtherTopics::negative ||
         std::ranges::any_of(incoming.labels,
                             [](const GivenLabel& given) { return given.label.has_value(); });
}

}  // namespace

std::string label_name(const LabelPlan& labels, LabelNumber label) {
  if (labels.has_topics()) return label == 1 ? "yes" : "no";
  return labels.kind == LabelPlan::Kind::one_of ? labels.names[label] : labels.name_of(label == 1);
}

double OpenQuestion::doubt() const {
  double nearest = std::numeric_limits<double>::infinity();
  for (const OpenTask& task : tasks) nearest = std::min(nearest, std::abs(task.margin));
  return nearest;
}

std::string id_key_of(const json& id) {
  if (id.is_string()) return '"' + id.get<std::string>();
  return id.is_number() ? json_text(id) : std::string();
}

void QuestionDesk::see_line(const Session& session, const Replayed& line) {
  if (line.incoming.kind == Incoming::Kind::label || line.incoming.kind == Incoming::Kind::labelled)
    return see_label(session, line);
  if (const auto decisions = decisions_of(line.outcome); asks(decisions))
    see_instance(session, line, decisions);
}

void QuestionDesk::see_instance(const Session& session, const Replayed& line,
                                std::span<const Decision> decisions) {
  if (why_ == nullptr) why_ = std::make_unique<Why>(session);
  close(line.incoming.id);  // an expired question with the same id
  OpenQuestion question{.id = line.incoming.id,
                        .line = std::string(line.incoming.line),
                        .round = decisions[0].round,
                        .time = line.time,
                        .tasks = {},
                        .people = decisions[0].people,
                        .answered_by = {}};
  for (const Decision& decision : decisions) {
    if (!decision.asked) continue;
    OpenTask& task = question.tasks.emplace_back();
    task.task = decision.task;
    task.prediction = label_name(session.model().config.labels, decision.prediction);
    task.margin = decision.margin;
    task.probability = decision.chance();
    why_->explain(line.incoming, decision, task.why);
    task.words = why_->heaviest();
  }
  rounds_[question.id] = question.round;
  questions_.emplace(question.round, std::move(question));
}

void QuestionDesk::see_label(const Session& session, const Replayed& line) {
  const json answer = object_of(line.incoming.line);
  const std::string person = text_at(answer, "by");
  const std::string key = text_at(answer, "key");
  if (!key.empty()) release(person, key);
  std::string state = "error";
  if (const LabelReceipt* receipt = main_receipt(receipts_of(line.outcome))) {
    state = text_of(receipt->outcome);
    see_answer(session, line.incoming.id, person);
    annotators_.add({.person = person,
                     .time = line.came,
                     .is_label = has_label(line.incoming),
                     .unsure = answer.value("unsure", json()) == json(true),
                     .seconds = seconds_of(answer)});
  }
  if (!key.empty()) remember({.person = person, .key = key}, {.id = line.incoming.id, .state = state});
}

void QuestionDesk::see_answer(const Session& session, const std::string& id, const std::string& person) {
  if (session.waits(id) == 0) return close(id);
  const auto found = rounds_.find(id);
  if (found == rounds_.end()) return;
  OpenQuestion& question = questions_.at(found->second);
  question.answered_by.insert(person);
  const Question& asked = *session.find(id);
  std::erase_if(question.tasks,
                [&](const OpenTask& task) { return asked.tasks[task.task].state != QuestionState::waiting; });
}

void QuestionDesk::see_event(const LedgerEvent& event) {
  if (const auto* held = std::get_if<AnswerHeld>(&event)) {
    hold(*held);
  } else if (const auto* back = std::get_if<AnswerTakenBack>(&event)) {
    if (!back->person.empty()) {
      release(back->person, back->key);
      return;
    }
    for (auto& [person, answers] : held_) {  // an earlier version, in which keys of people differed
      if (release(person, back->key)) break;
    }
  }
}

void QuestionDesk::hold(const AnswerHeld& held) {
  const json answer = object_of(held.line);
  HeldAnswer one{.key = text_at(answer, "key"),
                 .id = id_key_of(answer.value("id", json())),
                 .line = held.line,
                 .text = {},
                 .came = held.came};
  if (const OpenQuestion* question = find(one.id)) one.text = text_at(object_of(question->line), "text");
  const std::string person = text_at(answer, "by");
  leases_[one.id].erase(person);
  holders_[one.id].insert(person);
  remember({.person = person, .key = one.key}, {.id = one.id, .state = "held"});
  held_[person].push_back(std::move(one));
}

std::optional<HeldAnswer> QuestionDesk::release(const std::string& person, const std::string& key) {
  const auto of_person = held_.find(person);
  if (of_person == held_.end()) return std::nullopt;
  std::deque<HeldAnswer>& answers = of_person->second;
  const auto found = std::ranges::find(answers, key, &HeldAnswer::key);
  if (found == answers.end()) return std::nullopt;
  HeldAnswer released = std::move(*found);
  answers.erase(found);
  const auto holders = holders_.find(released.id);
  holders->second.erase(person);
  if (holders->second.empty()) holders_.erase(holders);
  return released;
}

void QuestionDesk::remember(const AnswerKey& key, KnownKey known) {
  if (!keys_.emplace(key, std::move(known)).second) return;
  key_order_.push_back(key);
  if (key_order_.size() <= max_keys) return;
  keys_.erase(key_order_.front());
  key_order_.pop_front();
}

QuestionDesk::KeysInOrder QuestionDesk::keys_in_order() const {
  KeysInOrder all;
  for (const AnswerKey& key : key_order_) {
    all.keys.push_back(key.key);
    all.people.push_back(key.person);
    all.known.push_back(keys_.at(key));
  }
  return all;
}

void QuestionDesk::settle(const KeysInOrder& loaded) {
  const std::size_t count = loaded.keys.size();
  if (loaded.known.size() != count || (!loaded.people.empty() && loaded.people.size() != count))
    throw ModelError("the keys of answers do not fit together");
  for (std::size_t k = 0; k < count; ++k) {
    remember({.person = loaded.people.empty() ? "" : loaded.people[k], .key = loaded.keys[k]},
             loaded.known[k]);
  }
  for (const auto& [round, question] : questions_) rounds_[question.id] = round;
  for (const auto& [person, answers] : held_) {
    for (const HeldAnswer& held : answers) holders_[held.id].insert(person);
  }
}

void QuestionDesk::close(const std::string& id) {
  const auto found = rounds_.find(id);
  if (found == rounds_.end()) return;
  questions_.erase(found->second);
  rounds_.erase(found);
  leases_.erase(id);
}

const OpenQuestion* QuestionDesk::find(const std::string& id) const {
  const auto found = rounds_.find(id);
  return found == rounds_.end() ? nullptr : &questions_.at(found->second);
}

bool QuestionDesk::has_answered(const OpenQuestion& question, const std::string& person) const {
  const auto holders = holders_.find(question.id);
  return question.answered_by.contains(person) ||
         (holders != holders_.end() && holders->second.contains(person));
}

bool QuestionDesk::is_complete(const OpenQuestion& question) const {
  const auto holders = holders_.find(question.id);
  return holders != holders_.end() &&
         question.answered_by.size() + holders->second.size() >= question.needed();
}

std::uint64_t QuestionDesk::complete_count() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(holders_, [&](const auto& holders) {
    const OpenQuestion* question = find(holders.first);
    return question != nullptr && is_complete(*question);
  }));
}

std::size_t QuestionDesk::held_count() const {
  std::size_t count = 0;
  for (const auto& [person, answers] : held_) count += answers.size();
  return count;
}

const KnownKey* QuestionDesk::known(const std::string& person, const std::string& key) const {
  auto found = keys_.find({.person = person, .key = key});
  if (found == keys_.end()) found = keys_.find({.person = "", .key = key});
  return found == keys_.end() ? nullptr : &found->second;
}

const std::deque<HeldAnswer>* QuestionDesk::held(const std::string& person) const {
  const auto found = held_.find(person);
  return found == held_.end() || found->second.empty() ? nullptr : &found->second;
}

bool QuestionDesk::has_seat(const OpenQuestion& question, const std::string& person, std::int64_t now) const {
  if (has_answered(question, person) || is_complete(question)) return false;
  std::size_t taken = question.answered_by.size();
  if (const auto holders = holders_.find(question.id); holders != holders_.end())
    taken += holders->second.size();
  if (const auto leased = leases_.find(question.id); leased != leases_.end()) {
    for (const auto& [other, until] : leased->second) {
      if (until > now && other != person && !has_answered(question, other)) ++taken;
    }
  }
  return taken < question.needed();
}

std::uint64_t QuestionDesk::leased_to_others(const std::string& person, std::int64_t now) const {
  return static_cast<std::uint64_t>(std::ranges::count_if(leases_, [&](const auto& leased) {
    return std::ranges::any_of(
        leased.second, [&](const auto& lease) { return lease.second > now && lease.first != person; });
  }));
}

std::vector<const OpenQuestion*> QuestionDesk::waiting(const Session& session) {
  std::vector<const OpenQuestion*> found;
  std::vector<std::string> gone;
  for (const auto& [round, question] : questions_) {
    if (session.waits(question.id) != round) {
      gone.push_back(question.id);
    } else if (!is_complete(question)) {
      found.push_back(&question);
    }
  }
  for (const std::string& id : gone) close(id);
  return found;
}

std::vector<const OpenQuestion*> QuestionDesk::lease(const Session& session, const std::string& person,
                                                     std::size_t n, std::int64_t now, std::int64_t until) {
  std::vector<const OpenQuestion*> given;
  std::vector<std::string> gone;
  const auto give = [&](const OpenQuestion& question) {
    if (session.waits(question.id) != question.round) {
      gone.push_back(question.id);
    } else if (has_seat(question, person, now)) {
      given.push_back(&question);
    }
  };
  const auto has_lease = [&](const std::string& id) {
    const auto leased = leases_.find(id);
    if (leased == leases_.end()) return false;
    const auto found = leased->second.find(person);
    return found != leased->second.end() && found->second > now;
  };
  for (const auto& [id, people] : leases_) {
    if (!has_lease(id)) continue;
    if (const OpenQuestion* question = find(id)) give(*question);
  }
  std::ranges::sort(given, {}, &OpenQuestion::round);
  if (given.size() > n) given.resize(n);
  for (auto next = questions_.begin(); next != questions_.end() && given.size() < n; ++next) {
    if (!has_lease(next->second.id)) give(next->second);
  }
  for (const OpenQuestion* question : given) leases_[question->id][person] = until;
  for (const std::string& id : gone) close(id);
  return given;
}

}  // namespace askfew
