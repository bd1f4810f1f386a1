#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/models/model_file.h"
#include "askfew/service/iso_time.h"

#include "apps/server/project_api.h"

namespace askfew::server {
namespace {

using nlohmann::json;

json json_of(const Quality& quality, bool of_classes) {
  const auto figure = [](const Estimated& one) {
    return json{{"value", one.value}, {"low", one.interval.low}, {"high", one.interval.high}};
  };
  json out{{"error", figure(quality.error)}};
  if (!of_classes) out["f1"] = figure(quality.f1);
  return out;
}

json json_of(const History::Point& point, bool of_classes) {
  json out{{"round", point.round}, {"asked", point.asked}, {"answered", point.answered}};
  if (point.quality) out.update(json_of(*point.quality, of_classes));
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

/// A person's agreement with the others, if they share questions.
json agreement_with_others(const json& agreement, const std::string& name) {
  if (agreement.is_null()) return {};
  for (const json& person : agreement["people"]) {
    if (person["name"] == name && person["shared"] > 0) return 1 - person["disagreement"].get<double>();
  }
  return {};
}

json annotators_of(const Project& project, const json& agreement) {
  json people = json::array();
  for (const auto& [name, person] : project.desk().annotators().people()) {
    const auto middle = median(person.seconds);
    people.push_back({{"name", name},
                      {"answers", person.answers},
                      {"unsure", person.unsure},
                      {"skipped", person.skipped},
                      {"seconds_median", middle ? json(*middle) : json()},
                      {"agreement", agreement_with_others(agreement, name)}});
  }
  return people;
}

}  // namespace

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
  if (report.contains("estimate")) {
    for (const json& change : report["estimate"]["changes"]) alarms.push_back(alarm_of(change));
  } else {
    report["estimate"] = nullptr;
  }
  report["alarms"] = std::move(alarms);
  if (!report.contains("agreement")) report["agreement"] = nullptr;
  report["annotators"] = annotators_of(project, report["agreement"]);
  return json_response(report);
}

Response get_history(Project& project, const Call&) {
  const bool of_classes = project.settings().kind == "classes";
  json points = json::array();
  for (const History::Point& point : project.history().points()) points.push_back(json_of(point, of_classes));
  points.push_back(json_of(History::point_of(project.session()), of_classes));
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
