#include "apps/server/project_api.h"

#include <charconv>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/json/json_text.h"

#include "apps/server/json_body.h"

namespace askfew::server {
namespace {

using nlohmann::json;

}  // namespace

Response json_response(const json& body, int status) {
  return {.status = status,
          .type = "application/json",
          .body = utf8_json_text(body),
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

}  // namespace askfew::server
