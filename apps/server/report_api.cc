#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/json/json_text.h"
#include "askfew/models/model_file.h"
#include "askfew/service/iso_time.h"

#include "apps/server/project_api.h"

namespace askfew::server {
namespace {

using nlohmann::json;

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

}  // namespace

Response get_report(Project& project, const Call&) {
  json report = parse_json(project.report())["report"];
  const ProjectCounts counts = project.counts();
  const auto left = project.left_in_budget();
  const auto planned = project.planned_by_now();
  report["pending"] = counts.pending;
  report["answered"] = counts.answered + counts.held;
  report["held"] = counts.held;
  report["plan"] = {{"budget", project.settings().budget},
                    {"horizon", project.settings().horizon},
                    {"asked", counts.asked},
                    {"left", left ? json(*left) : json()},
                    {"planned", planned ? json(*planned) : json()},
                    {"curve", json::array()}};
  for (const auto& [round, labels] : project.plan_curve())
    report["plan"]["curve"].push_back({{"round", round}, {"labels", labels}});
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
