// What people answer: what is refused, the line of an answer, answers that are taken back, settlements.

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "askfew/config/names.h"
#include "askfew/config/text.h"
#include "askfew/json/json_text.h"
#include "askfew/service/project.h"
#include "askfew/sessions/held_answers.h"

namespace askfew {
namespace {

using nlohmann::json;

constexpr std::size_t max_comment = 10'000;
constexpr std::size_t max_key = 200;

}  // namespace

std::string Project::refusal_of(const std::string& person, const std::string& id,
                                const PersonsAnswer& answer) const {
  if (answer.key.empty() || answer.key.size() > max_key)
    return fmt::format("an answer needs a key of 1 to {} bytes", max_key);
  if (answer.comment.size() > max_comment)
    return fmt::format("the comment has more than {} bytes", max_comment);
  if (id.empty()) return "an answer needs the id of its question: a text or a number";
  if (options_.settings.archived) return "the project is archived";
  if (!is_asked(person)) return "the project asks other people";
  const OpenQuestion* question = desk_.find(id);
  if (question == nullptr || live_.session->waits(id) == 0)
    return "no question with this id waits for an answer";
  if (desk_.has_answered(*question, person))
    return "you have answered this question: take that answer back first";
  if (desk_.is_complete(*question)) return "another person has answered this question";
  if (!desk_.has_seat(*question, person, clock_.now())) return "another person has this question now";
  return refusal_of_labels(*question, answer);
}

std::vector<std::string> Project::topics_of(const OpenQuestion& question) const {
  std::vector<std::string> names;
  for (const OpenTask& task : question.tasks) names.push_back(options_.settings.labels[task.task]);
  return names;
}

std::string Project::refusal_of_labels(const OpenQuestion& question, const PersonsAnswer& answer) const {
  if (live_.session->has_topics()) return refusal_of_topics(question, answer);
  if (answer.topics) return "in this project an instance has one label: an answer has `label`, not `labels`";
  const std::vector<std::string>& labels = options_.settings.labels;
  if (answer.label && std::ranges::find(labels, *answer.label) == labels.end())
    return fmt::format("label {}: {}", in_quotes(*answer.label), did_you_mean(*answer.label, labels));
  if (answer.label && answer.unsure) return "an answer is a label or unsure, not both";
  return "";
}

std::string Project::refusal_of_topics(const OpenQuestion& question, const PersonsAnswer& answer) const {
  if (answer.label) return "this project has topics: an answer has labels, as {\"topic\": true}, not a label";
  if (!answer.topics) return "";
  const std::vector<std::string> asked = topics_of(question);
  bool is_declined = !answer.others_are_negative && answer.topics->size() < asked.size();
  for (const auto& [name, said] : *answer.topics) {
    if (std::ranges::find(asked, name) == asked.end()) {
      return fmt::format("topic {} is not in question: {}", in_quotes(name), did_you_mean(name, asked));
    }
    is_declined |= !said;
  }
  return answer.unsure && !is_declined ? "an answer is a label for every topic or unsure, not both" : "";
}

std::string Project::line_of(const std::string& person, const std::string& id,
                             const PersonsAnswer& answer) const {
  json line{{"id", parse_json(answer.id)}, {"by", person}, {"key", answer.key}};
  if (live_.session->has_topics()) {
    json& labels = line["labels"] = json::object();
    const json others = answer.topics && answer.others_are_negative ? json(false) : json();
    for (const std::string& name : topics_of(*desk_.find(id))) {
      const bool is_named = answer.topics && answer.topics->contains(name);
      const auto said = is_named ? answer.topics->at(name) : std::nullopt;
      labels[name] = is_named ? (said ? json(*said) : json()) : others;
    }
  } else {
    line["label"] = answer.label ? json(*answer.label) : json();
  }
  if (answer.unsure) line["unsure"] = true;
  if (answer.flag) line["flag"] = true;
  if (!answer.comment.empty()) line["comment"] = answer.comment;
  if (answer.seconds) line["seconds"] = *answer.seconds;
  return json_text(line);
}

AnswerResult Project::answer(const std::string& person, const PersonsAnswer& answer) {
  const std::string id = id_key_of(try_parse_json(answer.id));
  if (const KnownKey* known = desk_.known(person, answer.key)) {
    if (known->id == id) return {.state = known->state, .detail = ""};
    return {.state = "error",
            .detail = "this key is that of your answer to another question: choose a new one"};
  }
  live_.session->advance_to(clock_.now() + live_.clock_shift);
  if (std::string why = refusal_of(person, id, answer); !why.empty())
    return {.state = "error", .detail = std::move(why)};
  if (!record(AnswerHeld{.came = clock_.now(), .line = line_of(person, id, answer)}))
    return {.state = "error", .detail = "the ledger cannot be written: " + live_.ledger->why()};
  learn(person, max_held_answers(counts().answered));
  return {.state = "held", .detail = ""};
}

std::optional<NextQuestions> Project::take_back(const std::string& person, const std::string& key) {
  const std::deque<HeldAnswer>* held = desk_.held(person);
  if (held == nullptr) return std::nullopt;
  const auto found = std::ranges::find(*held, key, &HeldAnswer::key);
  if (found == held->end()) return std::nullopt;
  const std::string id = found->id;
  if (!record(AnswerTakenBack{.person = person, .key = key}))
    throw FileError("the ledger cannot be written: " + live_.ledger->why());
  NextQuestions next{.until = clock_.now() + options_.lease};
  if (const OpenQuestion* question = desk_.find(id)) {
    desk_.set_lease(id, person, next.until);
    next.questions.push_back(question);
  }
  return next;
}

json Project::settle(const std::string& person, const json& said) {
  json line = said;
  line["by"] = person;
  line["settles"] = true;
  json answer = parse_json(take_line(utf8_json_text(line)));
  if (answer.contains("error")) throw ConfigError(answer["error"].get<std::string>());
  return answer;
}

}  // namespace askfew
