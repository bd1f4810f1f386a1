#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "askfew/json/json_text.h"
#include "askfew/service/iso_time.h"
#include "askfew/sessions/answers.h"

#include "apps/server/json_body.h"
#include "apps/server/project_api.h"

namespace askfew::server {
namespace {

using nlohmann::json;

constexpr std::size_t max_answers = 1000;

/// What the person should know about one task.
json json_of(const OpenTask& task) {
  json words = json::array();
  for (const Why::Heavy& word : task.words) words.push_back({word.name, word.share});
  return {{"why", task.why},
          {"prediction", task.prediction},
          {"margin", task.margin},
          {"probability", task.probability},
          {"words", std::move(words)}};
}

json json_of(const OpenQuestion& question, const LabelPlan& labels) {
  const json instance = try_parse_json(question.line);
  json out{{"id", nullptr}};
  if (!instance.is_object()) return out;
  for (const char* name : {"id", "text", "x", "features"}) {
    if (instance.contains(name)) out[name] = instance[name];
  }
  // The session does not look at what is only shown: it may have any form.
  for (const char* name : {"title", "image", "url"}) {
    if (instance.contains(name) && instance[name].is_string()) out[name] = instance[name];
  }
  if (instance.contains("fields") && instance["fields"].is_object()) out["fields"] = instance["fields"];
  if (labels.has_topics()) {
    json& topics = out["topics"] = json::array();
    for (const OpenTask& task : question.tasks) {
      topics.push_back(json_of(task));
      topics.back()["topic"] = labels.names[task.task];
      topics.back()["prediction"] = task.prediction == "yes";
    }
  } else {
    out.update(json_of(question.tasks[0]));
  }
  out["asked"] = iso_time(question.time);
  out["people"] = question.people;
  return out;
}

json json_of_leased(const Project& project, const NextQuestions& next) {
  json questions = json::array();
  for (const OpenQuestion* question : next.questions) {
    json one = json_of(*question, project.session().model().config.labels);
    one["lease_until"] = iso_time(next.until);
    questions.push_back(std::move(one));
  }
  return questions;
}

Leases leases_of(const NextQuestions& next, const std::string& person) {
  Leases leases;
  for (const OpenQuestion* question : next.questions) leases[question->id][person] = next.until;
  return leases;
}

json reason_of(NoQuestion nothing) {
  switch (nothing) {
    case NoQuestion::budget_spent:
      return {{"reason", "budget-spent"}, {"detail", "All labels of the budget were asked."}};
    case NoQuestion::leased_to_others:
      return {{"reason", "leased-to-others"}, {"detail", "Other people have all questions that wait."}};
    case NoQuestion::finished:
      return {{"reason", "finished"}, {"detail", "The project is archived."}};
    case NoQuestion::not_asked:
      return {{"reason", "not-asked"}, {"detail", "This project asks other people."}};
    case NoQuestion::waiting_for_stream:
      break;
  }
  return {{"reason", "waiting-for-stream"}, {"detail", "No question waits. New instances may bring some."}};
}

json progress_of(const Project& project, const std::string& person) {
  const ProjectCounts counts = project.counts();
  const auto left = project.left_in_budget();
  const auto* held = project.desk().held(person);
  return {{"answered_today", project.answered_today(person)},
          {"answered", counts.answered + counts.held},
          {"held", held == nullptr ? 0 : held->size()},
          {"left_in_budget", left ? json(*left) : json()},
          {"pending", counts.pending}};
}

/// ["a", "b"] or {"a": true, "b": false, "c": null}; null is no answer. Returns whether it is one of them.
bool read_topics(const json& value, PersonsAnswer& answer) {
  if (value.is_null()) return true;
  if (!value.is_array() && !value.is_object()) return false;
  answer.topics.emplace();
  answer.others_are_negative = value.is_array();
  for (const auto& [key, said] : value.items()) {
    if (value.is_array() ? !said.is_string() : !said.is_boolean() && !said.is_null()) return false;
    if (value.is_array()) {
      (*answer.topics)[said.get<std::string>()] = true;
    } else {
      (*answer.topics)[key] = said.is_null() ? std::nullopt : std::optional(said.get<bool>());
    }
  }
  return true;
}

PersonsAnswer answer_of(const json& object) {
  if (!object.is_object()) throw Problem{400, "an answer must be an object"};
  PersonsAnswer answer;
  for (const auto& [name, value] : object.items()) {
    if (name == "id") {
      answer.id = json_text(value);
    } else if (name == "key" && value.is_string()) {
      answer.key = value.get<std::string>();
    } else if (name == "label" && (value.is_null() || value.is_string())) {
      if (value.is_string()) answer.label = value.get<std::string>();
    } else if (name == "labels" && read_topics(value, answer)) {
      continue;
    } else if (name == "unsure" && value.is_boolean()) {
      answer.unsure = value.get<bool>();
    } else if (name == "flag" && value.is_boolean()) {
      answer.flag = value.get<bool>();
    } else if (name == "comment" && (value.is_null() || value.is_string())) {
      if (value.is_string()) answer.comment = value.get<std::string>();
    } else if (name == "seconds" && (value.is_null() || value.is_number())) {
      if (value.is_number() && std::isfinite(value.get<double>())) answer.seconds = value.get<double>();
    } else {
      throw Problem{400,
                    fmt::format("an answer has key, id, label or labels, unsure, comment, flag and seconds: "
                                "'{}' is unknown or has a wrong type",
                                name.substr(0, 50))};
    }
  }
  return answer;
}

/// The place of a question in a list: questions that are answered meanwhile do not move the others.
using PagePlace = std::pair<double, std::uint64_t>;

PagePlace place_of(const OpenQuestion& question, PendingOrder order) {
  return {order == PendingOrder::doubtful ? question.doubt() : 0, question.round};
}

std::string cursor_of(const PagePlace& place) {
  return fmt::format("{:016x}-{}", std::bit_cast<std::uint64_t>(place.first), place.second);
}

/// Nothing: the text is no place.
std::optional<PagePlace> place_at(std::string_view text) {
  std::uint64_t bits = 0;
  std::uint64_t round = 0;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, bits, 16);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, round);
  const auto number = std::bit_cast<double>(bits);
  if (second.ec != std::errc{} || second.ptr != end || !std::isfinite(number)) return std::nullopt;
  return PagePlace{number, round};
}

}  // namespace

Response get_next(Project& project, const Call& call) {
  constexpr std::int64_t most = 500;  // a fast person without network for some seconds
  const std::int64_t n = number_in_query(call.request, "n", 1, 1, most);
  const std::int64_t enough = number_in_query(call.request, "enough", n, 1, most);
  const NextQuestions next =
      project.next(call.account.name, static_cast<std::size_t>(n), static_cast<std::size_t>(enough));
  Response response = json_response({{"questions", json_of_leased(project, next)},
                                     {"nothing", next.nothing ? reason_of(*next.nothing) : json()},
                                     {"progress", progress_of(project, call.account.name)}});
  response.leases = leases_of(next, call.account.name);
  return response;
}

Response post_answers(Project& project, const Call& call) {
  const json body = parsed(call.request.body);
  if (!body.is_object() || !body.contains("answers") || !body["answers"].is_array())
    throw Problem{400, "expected {\"answers\": [...]}"};
  if (body["answers"].size() > max_answers)
    throw Problem{413, fmt::format("more than {} answers in a request", max_answers)};
  std::vector<PersonsAnswer> answers;
  for (const json& one : body["answers"]) answers.push_back(answer_of(one));
  json results = json::array();
  for (const PersonsAnswer& answer : answers) {
    const AnswerResult result = project.answer(call.account.name, answer);
    json one{{"key", answer.key}, {"id", try_parse_json(answer.id)}, {"state", result.state}};
    if (one["id"].is_discarded()) one["id"] = nullptr;
    if (!result.detail.empty()) one["detail"] = result.detail;
    results.push_back(std::move(one));
  }
  return json_response(
      {{"results", std::move(results)}, {"progress", progress_of(project, call.account.name)}});
}

Response get_answers(Project& project, const Call& call) {
  json answers = json::array();
  if (const auto* held = project.desk().held(call.account.name)) {
    for (auto one = held->rbegin(); one != held->rend(); ++one) {
      const json line = parse_json(one->line);
      answers.push_back({{"key", one->key},
                         {"id", line["id"]},
                         {"unsure", line.value("unsure", false)},
                         {"flag", line.value("flag", false)},
                         {"comment", line.value("comment", "")},
                         {"text", one->text},
                         {"state", "held"}});
      const char* said = line.contains("labels") ? "labels" : "label";
      answers.back()[said] = line.value(said, json());
    }
  }
  return json_response({{"answers", std::move(answers)}});
}

Response delete_answer(Project& project, const Call& call) {
  const auto again = project.take_back(call.account.name, call.segments.at(1));
  if (!again) throw Problem{404, "no such answer of yours is held: it was learned, or never given"};
  const json questions = json_of_leased(project, *again);
  Response response = json_response({{"question", questions.empty() ? json() : questions[0]}});
  response.leases = leases_of(*again, call.account.name);
  return response;
}

Response get_pending(Project& project, const Call& call) {
  constexpr std::int64_t most = 1000;
  const auto limit = static_cast<std::size_t>(number_in_query(call.request, "limit", 100, 1, most));
  const auto order = call.request.query.find("order");
  const auto by = parse_pending_order(order == call.request.query.end() ? "asked" : order->second);
  if (!by) throw Problem{400, "order is oldest, doubtful or asked"};
  std::vector<const OpenQuestion*> waiting = project.waiting();
  if (const auto after = call.request.query.find("after"); after != call.request.query.end()) {
    const std::optional<PagePlace> place = place_at(after->second);
    if (!place) throw Problem{400, "after must be the next of an earlier answer"};
    std::erase_if(waiting, [&](const OpenQuestion* question) { return place_of(*question, *by) <= *place; });
  }
  if (by == PendingOrder::doubtful)
    std::ranges::sort(waiting, {}, [&](const OpenQuestion* question) { return place_of(*question, *by); });
  const bool has_more = waiting.size() > limit;
  if (has_more) waiting.resize(limit);
  json pending = json::array();
  for (const OpenQuestion* question : waiting)
    pending.push_back(json_of(*question, project.session().model().config.labels));
  return json_response({{"pending", std::move(pending)},
                        {"next", has_more ? json(cursor_of(place_of(*waiting.back(), *by))) : json()}});
}

Response get_disagreements(Project& project, const Call& call) {
  constexpr std::int64_t most = 1000;
  const auto limit = number_in_query(call.request, "limit", 100, 1, most);
  std::string text;
  append_disputed(project.session(), {.limit = static_cast<std::uint64_t>(limit)}, text);
  return json_response({{"disagreements", parse_json(text)["disputed"]}});
}

Response post_settlement(Project& project, const Call& call) {
  const json body = parsed(call.request.body);
  const bool has_topics = project.session().has_topics();
  const char* said = has_topics ? "labels" : "label";
  const bool is_right = body.is_object() && body.contains("id") && body.contains(said) &&
                        (has_topics ? body[said].is_object() : body[said].is_string());
  if (!is_right) {
    throw Problem{400, has_topics ? "expected {\"id\": ..., \"labels\": {\"...\": true}}"
                                  : "expected {\"id\": ..., \"label\": \"...\"}"};
  }
  return json_response(project.settle(call.account.name, {{"id", body["id"]}, {said, body[said]}}));
}

}  // namespace askfew::server
