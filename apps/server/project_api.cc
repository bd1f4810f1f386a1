#include "apps/server/project_api.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/models/model_file.h"
#include "askfew/service/iso_time.h"
#include "askfew/sessions/answers.h"

#include "apps/server/json_body.h"

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
  const json instance = json::parse(question.line, nullptr, false);
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
  return {{"answered_today", project.answered_today(person)},
          {"answered", counts.answered + counts.held},
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
      answer.id = value.dump();
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

json json_of(const History::Point::Figures& figures, bool of_classes) {
  const auto figure = [](const Estimated& one) {
    return json{{"value", one.value}, {"low", one.interval.low}, {"high", one.interval.high}};
  };
  json out{{"error", figure(figures.error)}};
  if (!of_classes) out["f1"] = figure(figures.f1);
  return out;
}

json json_of(const History::Point& point, const LabelPlan& labels) {
  json out{{"round", point.round}, {"asked", point.asked}, {"answered", point.answered}};
  if (labels.has_topics()) {
    for (std::size_t k = 0; k < point.figures.size(); ++k)
      out["topics"][labels.names[k]] = json_of(point.figures[k], false);
  } else if (!point.figures.empty()) {
    out.update(json_of(point.figures[0], labels.kind == LabelPlan::Kind::one_of));
  }
  out["time"] = iso_time(point.time);
  return out;
}

json alarm_of(const json& change) {
  json alarm = change;
  alarm["sentence"] =
      fmt::format("Around round {}, the {} changed; noticed in round {}.", change.value("since", 0),
                  change.value("kind", "stream"), change.value("round", 0));
  return alarm;
}

/// A person's agreement with the others, if they share questions; of topics the mean over the questions.
json agreement_with_others(const std::vector<json>& agreements, const std::string& name) {
  double shared = 0;
  double agreed = 0;
  for (const json& agreement : agreements) {
    for (const json& person : agreement["people"]) {
      if (person["name"] != name) continue;
      const auto questions = person["shared"].get<double>();
      shared += questions;
      agreed += questions * (1 - person["disagreement"].get<double>());
    }
  }
  return shared > 0 ? json(agreed / shared) : json();
}

json annotators_of(const Project& project, const std::vector<json>& agreements) {
  json people = json::array();
  for (const auto& [name, person] : project.desk().annotators().people()) {
    const auto middle = median(person.seconds);
    people.push_back({{"name", name},
                      {"answers", person.answers},
                      {"unsure", person.unsure},
                      {"skipped", person.skipped},
                      {"seconds_median", middle ? json(*middle) : json()},
                      {"agreement", agreement_with_others(agreements, name)}});
  }
  return people;
}

/// The answers as they came, or as the array of an object.
Response answers_response(const BodyLines& lines, const std::string& answers) {
  std::string body = lines.is_array ? "{\"answers\":[" : "";
  bool is_first = true;
  for (std::size_t from = 0; from < answers.size();) {
    const std::size_t end = answers.find('\n', from);
    if (!lines.is_array && !is_first) break;  // only the answer, without the changes behind it
    if (!is_first) body += ',';
    is_first = false;
    body.append(answers, from, end - from);
    from = end + 1;
  }
  body += lines.is_array ? "]}" : "";
  return {.status = 200,
          .type = "application/json",
          .body = body.empty() ? "{}" : std::move(body),
          .headers = {},
          .file = {},
          .leases = {}};
}

using AnswersLines = void (Project::*)(std::span<const std::string_view> lines, std::string& answers);

/// The answers of the project to the instances of the body.
Response answers_to(const Call& call, Project& project, AnswersLines answer) {
  const BodyLines lines = lines_of_json(call.request.body);
  std::string answers;
  (project.*answer)(lines.lines, answers);
  return answers_response(lines, answers);
}

}  // namespace

Response json_response(const json& body, int status) {
  return {.status = status,
          .type = "application/json",
          .body = body.dump(-1, ' ', false, json::error_handler_t::replace),
          .headers = {},
          .file = {},
          .leases = {}};
}

std::int64_t number_in_query(const Request& request, const std::string& name, std::int64_t usual,
                             std::int64_t low, std::int64_t high) {
  const auto found = request.query.find(name);
  if (found == request.query.end()) return usual;
  std::int64_t number = 0;
  const std::string& text = found->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < low || number > high)
    throw Problem{400, fmt::format("{} must be a whole number from {} to {}", name, low, high)};
  return number;
}

json json_of(const ProjectCounts& counts) {
  return {{"rounds", counts.rounds},
          {"asked", counts.asked},
          {"answered", counts.answered + counts.held},
          {"pending", counts.pending}};
}

json json_of(const std::string& id, const ProjectSettings& settings, const ProjectCounts& counts) {
  return {{"id", id},
          {"name", settings.name},
          {"question", settings.question},
          {"kind", settings.kind},
          {"labels", settings.labels},
          {"archived", settings.archived},
          {"rounds", counts.rounds},
          {"asked", counts.asked},
          {"answered", counts.answered + counts.held},
          {"waiting", counts.pending},
          {"kept", counts.kept}};
}

Response get_project(Project& project, const Call& call) {
  json out = json_of(call.project, project.settings(), project.counts());
  out["settings"] = json_of(project.settings());
  return json_response(out);
}

Response patch_project(Project& project, const Call& call) {
  const json body = parsed(call.request.body);
  if (!body.is_object()) throw Problem{400, "expected an object"};
  json live = json::object();
  json others = json::object();
  for (const auto& [name, value] : body.items()) {
    const bool is_other = name == "name" || name == "question" || name == "archived";
    if (!is_other && !is_live_setting(name))
      throw Problem{422, fmt::format("setting '{}' cannot change", name.substr(0, 50))};
    (is_other ? others : live)[name] = value;
  }
  ProjectSettings wanted = project.settings();
  read_settings(body, wanted);
  check(wanted);
  if (!live.empty()) project.change_settings(call.account.name, live);
  ProjectSettings settings = project.settings();
  read_settings(others, settings);
  project.set_settings(settings);
  Response response = get_project(project, call);
  response.settings = settings;
  return response;
}

Response post_instances(Project& project, const Call& call) {
  return answers_to(call, project, &Project::take_lines);
}

Response post_pool(Project& project, const Call& call) {
  return answers_to(call, project, &Project::keep_lines);
}

Response post_predictions(Project& project, const Call& call) {
  return answers_to(call, project, &Project::predict);
}

Response get_next(Project& project, const Call& call) {
  constexpr std::int64_t most = 500;  // a fast person without network for some seconds
  const auto n = static_cast<std::size_t>(number_in_query(call.request, "n", 1, 1, most));
  const NextQuestions next = project.next(call.account.name, n);
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
    json one{{"key", answer.key}, {"id", json::parse(answer.id, nullptr, false)}, {"state", result.state}};
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
      const json line = json::parse(one->line);
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
  if (by == PendingOrder::doubtful)
    std::ranges::stable_sort(waiting, {}, [](const OpenQuestion* question) { return question->doubt(); });
  if (waiting.size() > limit) waiting.resize(limit);
  json pending = json::array();
  for (const OpenQuestion* question : waiting)
    pending.push_back(json_of(*question, project.session().model().config.labels));
  return json_response({{"pending", std::move(pending)}});
}

Response get_disagreements(Project& project, const Call& call) {
  constexpr std::int64_t most = 1000;
  const auto limit = number_in_query(call.request, "limit", 100, 1, most);
  std::string text;
  append_disputed(project.session(), {.limit = static_cast<std::uint64_t>(limit)}, text);
  return json_response({{"disagreements", json::parse(text)["disputed"]}});
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

Response get_report(Project& project, const Call&) {
  json report = json::parse(project.report())["report"];
  const ProjectCounts counts = project.counts();
  const auto left = project.left_in_budget();
  report["pending"] = counts.pending;
  report["answered"] = counts.answered + counts.held;
  report["held"] = counts.held;
  report["plan"] = {{"budget", project.settings().budget},
                    {"horizon", project.settings().horizon},
                    {"asked", counts.asked},
                    {"left", left ? json(*left) : json()}};
  json alarms = json::array();
  std::vector<json> agreements;
  const auto see_task = [&](const json& task, const json& topic) {
    if (task.contains("agreement")) agreements.push_back(task["agreement"]);
    if (!task.contains("estimate")) return;
    for (const json& change : task["estimate"]["changes"]) {
      alarms.push_back(alarm_of(change));
      if (!topic.is_null()) alarms.back()["topic"] = topic;
    }
  };
  see_task(report, nullptr);
  if (report.contains("topics")) {
    for (const auto& [topic, task] : report["topics"].items()) see_task(task, topic);
  }
  report["alarms"] = std::move(alarms);
  for (const char* of_one_task : {"estimate", "agreement"}) {
    if (!report.contains(of_one_task)) report[of_one_task] = nullptr;
  }
  report["annotators"] = annotators_of(project, agreements);
  return json_response(report);
}

Response get_history(Project& project, const Call&) {
  const LabelPlan& labels = project.session().model().config.labels;
  json points = json::array();
  for (const History::Point& point : project.history().points()) points.push_back(json_of(point, labels));
  points.push_back(json_of(History::point_of(project.session()), labels));
  return json_response({{"points", std::move(points)}});
}

Response get_model(Project& project, const Call& call) {
  return {
      .status = 200,
      .type = "application/octet-stream",
      .body = encode_model(snapshot_of(project.session().model())),
      .headers = {{"Content-Disposition", fmt::format("attachment; filename=\"{}.model\"", call.project)}},
      .file = {},
      .leases = {}};
}

}  // namespace askfew::server
