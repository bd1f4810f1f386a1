#include "apps/server/api.h"

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "apps/server/embedded.h"
#include "apps/server/export_api.h"
#include "apps/server/json_body.h"

namespace askfew::server {
namespace {

using nlohmann::json;
using Kind = Routed::Kind;

bool is_ndjson(const Request& request) {
  return request.content_type.starts_with("application/x-ndjson");
}

/// What is sent under a part of a project's address.
struct ProjectRoute {
  std::string_view method;
  std::vector<std::string_view> path;  ///< "*" stands for any text
  Role least;
  ProjectHandler handler;
  Kind kind = Kind::project;
};

const std::vector<ProjectRoute>& project_routes() {
  static const std::vector<ProjectRoute> routes{
      {"GET", {}, Role::reader, get_project},
      {"PATCH", {}, Role::engineer, patch_project},
      {"POST", {"instances"}, Role::engineer, post_instances},
      {"POST", {"pool"}, Role::engineer, post_pool},
      {"POST", {"predictions"}, Role::reader, post_predictions},
      {"GET", {"questions", "next"}, Role::annotator, get_next, Kind::next},
      {"POST", {"answers"}, Role::annotator, post_answers},
      {"GET", {"answers"}, Role::annotator, get_answers},
      {"DELETE", {"answers", "*"}, Role::annotator, delete_answer},
      {"GET", {"pending"}, Role::reader, get_pending},
      {"GET", {"disagreements"}, Role::reader, get_disagreements},
      {"POST", {"settlements"}, Role::engineer, post_settlement},
      {"GET", {"report"}, Role::reader, get_report},
      {"GET", {"history"}, Role::reader, get_history},
      {"GET", {"control"}, Role::reader, nullptr, Kind::apart},
      {"GET", {"labels"}, Role::reader, nullptr, Kind::apart},
      {"GET", {"decisions"}, Role::reader, nullptr, Kind::apart},
      {"GET", {"model"}, Role::reader, get_model},
      {"GET", {"events"}, Role::reader, nullptr, Kind::events}};
  return routes;
}

bool fits(const std::vector<std::string_view>& path, const std::vector<std::string>& segments) {
  return std::ranges::equal(path, segments, [](std::string_view part, const std::string& segment) {
    return part == "*" || part == segment;
  });
}

}  // namespace

Routed Api::route(const Request& request) {
  const std::vector<std::string>& path = request.segments;
  if (path.size() < 2 || path[0] != "api") return route_public(request);
  if (path[1] != "v1" || path.size() < 3) throw Problem{404, "this server has version 1: /api/v1/..."};
  if (path[2] == "login" && path.size() == 3) {
    expect_method(request, "POST");
    return account_api_.log_in(request);
  }
  const Caller caller = caller_of(request);
  count_request(caller.account);
  if (path[2] == "projects" && path.size() > 3) return route_project(request, caller);
  if (path[2] == "projects") return route_projects(request, caller);
  return account_api_.route(request, caller);
}

Routed Api::route_public(const Request& request) {
  if (request.method != "GET" && request.method != "HEAD") {
    if (request.path == "/healthz" || request.path == "/readyz" || request.path == "/metrics" ||
        find_embedded(request.path) != nullptr)
      refuse_method("GET, HEAD");
    throw Problem{404, "nothing has this address"};
  }
  if (request.path == "/readyz" && options_.unready) {
    if (std::string why = options_.unready(); !why.empty()) throw Problem{503, std::move(why)};
  }
  if (request.path == "/healthz" || request.path == "/readyz")
    return routed_to(json_response({{"status", "ok"}}));
  if (request.path == "/metrics") {
    return routed_to({.status = 200,
                      .type = "text/plain; version=0.0.4",
                      .body = metrics_.text(projects_),
                      .headers = {},
                      .file = {},
                      .leases = {}});
  }
  const EmbeddedFile* file = find_embedded(request.path);
  if (file == nullptr) throw Problem{404, "nothing has this address"};
  return routed_to(response_of(*file, request));
}

Caller Api::caller_of(const Request& request) const {
  constexpr std::string_view bearer = "Bearer ";
  if (!request.authorization.empty()) {
    const std::string_view text = request.authorization;
    const Account* account =
        text.starts_with(bearer) ? accounts_.of_token(std::string(text.substr(bearer.size()))) : nullptr;
    if (account == nullptr) throw Problem{401, "the token is not known"};
    return {.account = *account, .csrf = "", .by_cookie = false};
  }
  if (request.cookie.empty()) throw Problem{401, "log in, or send Authorization: Bearer TOKEN"};
  const auto session = accounts_.of_cookie(request.cookie, std::time(nullptr));
  if (!session) throw Problem{401, "the login has ended: log in again"};
  const bool changes = request.method != "GET" && request.method != "HEAD";
  if (changes && request.csrf != session->csrf)
    throw Problem{403, "the header X-CSRF-Token is missing or wrong: /api/v1/me gives it"};
  return {.account = session->account, .csrf = session->csrf, .by_cookie = true};
}

void Api::count_request(const Account& account) {
  if (options_.rate <= 0) return;
  limits_.try_emplace(account.number, options_.rate).first->second.take_one("requests");
}

Routed Api::list_projects(const Caller& caller) {
  Routed routed;
  std::vector<std::string> ids;
  for (const auto& [id, settings] : projects_.settings()) {
    if (!caller.account.may_see(id)) continue;
    ids.push_back(id);
    if (!projects_.counts_of(id)) routed.open.push_back(id);
  }
  routed.make = [this, ids] {
    json list = json::array();
    for (const std::string& id : ids) {
      const auto counts = projects_.counts_of(id);
      list.push_back(json_of(id, projects_.settings_of(id).value(), counts.value_or(ProjectCounts{})));
      if (!counts) list.back()["unavailable"] = true;
    }
    return json_response({{"projects", std::move(list)}});
  };
  return routed;
}

Routed Api::route_projects(const Request& request, const Caller& caller) {
  if (request.method == "GET") return list_projects(caller);
  if (request.method != "POST") refuse_method("GET, POST");
  expect_role(caller.account, Role::engineer);
  if (caller.account.projects) throw Problem{403, "your token is for some projects only"};
  Routed routed;
  routed.kind = Kind::apart;
  routed.make = [this, body = request.body] {
    ProjectSettings settings;
    read_settings(parsed(body), settings);
    if (settings.labels.empty() && settings.kind == "yes-no") settings.labels = {"yes", "no"};
    const std::string id = projects_.create(settings);
    json created = json_of(id, settings, {});
    created["settings"] = askfew::json_of(settings);
    Response response = json_response(created, 201);
    response.headers.emplace_back("Location", "/api/v1/projects/" + id);
    return response;
  };
  return routed;
}

Routed Api::route_project(const Request& request, const Caller& caller) {
  Routed routed;
  Call& call = routed.call;
  call = {.request = request, .account = caller.account, .project = request.segments[3], .segments = {}};
  call.segments.assign(request.segments.begin() + 4, request.segments.end());
  // Who may not see a project does not learn whether it is there.
  if (!projects_.contains(call.project) || !caller.account.may_see(call.project))
    throw Problem{404, "no such project"};
  std::string methods;
  for (const ProjectRoute& route : project_routes()) {
    if (!fits(route.path, call.segments)) continue;
    methods.append(methods.empty() ? "" : ", ").append(route.method);
    if (route.method != request.method) continue;
    expect_role(caller.account, route.least);
    routed.kind = route.kind;
    routed.handler = route.handler;
    if (route.kind == Kind::apart) return route_export(projects_, call);
    constexpr std::int64_t longest_wait = 60;
    if (route.kind == Kind::next) routed.wait = number_in_query(request, "wait", 0, 0, longest_wait);
    if (route.handler == post_instances && is_ndjson(request)) routed.kind = Kind::instances;
    if (route.handler == post_predictions && is_ndjson(request)) routed.kind = Kind::predictions;
    return routed;
  }
  if (!methods.empty()) refuse_method(methods);
  throw Problem{404, "nothing has this address"};
}

}  // namespace askfew::server
