#include "apps/server/api.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fmt/core.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "askfew/service/iso_time.h"
#include "askfew/service/ledger_export.h"

#include "apps/server/embedded.h"
#include "apps/server/json_body.h"

namespace askfew::server {
namespace {

using nlohmann::json;
using Kind = Routed::Kind;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Routed now(Response response) {
  Routed routed;
  routed.make = [response = std::move(response)] { return response; };
  return routed;
}

void expect_role(const Account& account, Role least) {
  if (account.role < least)
    throw Problem{403,
                  fmt::format("this needs the role {}; you are {}", text_of(least), text_of(account.role))};
}

[[noreturn]] void wrong_method() {
  throw Problem{405, "this address has no such method: see /openapi.json"};
}

json json_of(const Account& account) {
  return {{"number", account.number},
          {"name", account.name},
          {"role", text_of(account.role)},
          {"projects", account.projects ? json(*account.projects) : json()},
          {"created", iso_time(account.created * 1'000'000)}};
}

Response empty_response() {
  return {.status = 204, .type = "", .body = "", .headers = {}, .file = {}, .leases = {}};
}

std::string cookie_of(const std::string& value, std::int64_t seconds, bool secure) {
  return fmt::format("askfew={}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{}", value, seconds,
                     secure ? "; Secure" : "");
}

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
    if (request.method != "POST") wrong_method();
    return log_in(request);
  }
  const Caller caller = caller_of(request);
  count_request(caller.account);
  if (path[2] == "projects" && path.size() > 3) return route_project(request, caller);
  if (path[2] == "projects") return route_projects(request, caller);
  return route_accounts(request, caller);
}

Routed Api::route_public(const Request& request) {
  if (request.method != "GET" && request.method != "HEAD") {
    if (request.path == "/healthz" || request.path == "/readyz" || request.path == "/metrics" ||
        find_embedded(request.path) != nullptr)
      wrong_method();
    throw Problem{404, "nothing has this address"};
  }
  if (request.path == "/readyz" && options_.unready) {
    if (std::string why = options_.unready(); !why.empty()) throw Problem{503, std::move(why)};
  }
  if (request.path == "/healthz" || request.path == "/readyz") return now(json_response({{"status", "ok"}}));
  if (request.path == "/metrics") {
    return now({.status = 200,
                .type = "text/plain; version=0.0.4",
                .body = metrics_.text(projects_),
                .headers = {},
                .file = {},
                .leases = {}});
  }
  const EmbeddedFile* file = find_embedded(request.path);
  if (file == nullptr) throw Problem{404, "nothing has this address"};
  return now(response_of(*file, request));
}

Api::Caller Api::caller_of(const Request& request) const {
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

void Api::take_from(Bucket& bucket, double rate, const char* what) {
  const double time = steady_seconds();
  bucket.tokens = std::min(2 * rate, bucket.tokens + (time - bucket.time) * rate);
  bucket.time = time;
  if (bucket.tokens < 1) throw Problem{429, fmt::format("more than {} {} a second", rate, what)};
  bucket.tokens -= 1;
}

void Api::count_request(const Account& account) {
  if (options_.rate <= 0) return;
  const Bucket full{2 * options_.rate, steady_seconds()};
  take_from(buckets_.try_emplace(account.number, full).first->second, options_.rate, "requests");
}

/// A check takes much time and memory, and strangers may ask for it.
void Api::expect_few_passwords() {
  constexpr double rate = 5;
  if (!passwords_) passwords_ = Bucket{2 * rate, steady_seconds()};
  take_from(*passwords_, rate, "passwords");
}

Response Api::logged_in(const Account& account) {
  constexpr std::int64_t two_weeks = 14 * 86'400;
  const Accounts::Login login = accounts_.log_in(account, std::time(nullptr));
  Response response =
      json_response({{"name", account.name}, {"role", text_of(account.role)}, {"csrf", login.csrf}});
  response.headers.emplace_back("Set-Cookie", cookie_of(login.cookie, two_weeks, options_.secure_cookies));
  return response;
}

Routed Api::log_in(const Request& request) {
  const json body = parsed(request.body);
  const auto is_text = [&](const char* name) {
    return body.is_object() && body.contains(name) && body[name].is_string();
  };
  if (is_text("token")) {
    const Account* account = accounts_.of_token(body["token"].get<std::string>());
    if (account == nullptr) throw Problem{401, "the token is not known"};
    return now(logged_in(*account));
  }
  if (!is_text("name") || !is_text("password"))
    throw Problem{400, "expected {\"token\": \"...\"}, or {\"name\": \"...\", \"password\": \"...\"}"};
  expect_few_passwords();
  const auto name = body["name"].get<std::string>();
  const auto is_right = std::make_shared<bool>(false);
  Routed routed;
  routed.before = [is_right, password = body["password"].get<std::string>(),
                   hash = accounts_.password_hash_of(name)] { *is_right = is_password(password, hash); };
  routed.make = [this, is_right, name] {
    const Account* account = accounts_.of_name(name);
    if (!*is_right || account == nullptr) throw Problem{401, "the name or the password is wrong"};
    return logged_in(*account);
  };
  return routed;
}

Routed Api::set_password(const Request& request, const Account& account) {
  const json body = parsed(request.body);
  if (!body.is_object() || !body.contains("password") || !body["password"].is_string())
    throw Problem{400, "expected {\"password\": \"...\"}"};
  expect_few_passwords();
  const auto hash = std::make_shared<std::string>();
  Routed routed;
  routed.before = [hash, password = body["password"].get<std::string>()] { *hash = password_hash(password); };
  routed.make = [this, hash, number = account.number] {
    accounts_.set_password(number, *hash);
    return empty_response();
  };
  return routed;
}

Response Api::add_token(const Request& request) {
  const json body = parsed(request.body);
  if (!body.is_object()) throw Problem{400, "expected {\"name\": ..., \"role\": ..., \"projects\": [...]}"};
  const json name = body.value("name", json());
  const json role_name = body.value("role", json("annotator"));
  const json given = body.value("projects", json());
  if (!name.is_string() || !role_name.is_string()) throw Problem{400, "name and role must be texts"};
  const auto role = role_of(role_name.get<std::string>());
  if (!role) throw Problem{422, "the role is reader, annotator, engineer or admin"};
  std::optional<std::vector<std::string>> projects;
  if (given.is_array()) {
    projects.emplace();
    for (const json& id : given) {
      if (!id.is_string() || !projects_.settings_of(id.get<std::string>()))
        throw Problem{422, "projects must be the ids of projects"};
      projects->push_back(id.get<std::string>());
    }
  } else if (!given.is_null()) {
    throw Problem{400, "projects must be an array, or null for all"};
  }
  const std::string token = accounts_.add(name.get<std::string>(), *role, projects);
  return json_response({{"name", name},
                        {"role", role_name},
                        {"projects", given},
                        {"token", token},
                        {"link", "/#token=" + token}},
                       201);
}

Routed Api::route_accounts(const Request& request, const Caller& caller) {
  const std::vector<std::string>& path = request.segments;
  const Account& account = caller.account;
  if (path[2] == "me" && path.size() == 3) {
    if (request.method != "GET") wrong_method();
    return now(json_response({{"name", account.name},
                              {"role", text_of(account.role)},
                              {"projects", account.projects ? json(*account.projects) : json()},
                              {"csrf", caller.by_cookie ? json(caller.csrf) : json()}}));
  }
  if (path[2] == "me" && path.size() == 4 && path[3] == "password") {
    if (request.method != "PUT") wrong_method();
    return set_password(request, account);
  }
  if (path[2] == "logout" && path.size() == 3) {
    if (request.method != "POST") wrong_method();
    if (caller.by_cookie) accounts_.log_out(request.cookie);
    Response response = empty_response();
    response.headers.emplace_back("Set-Cookie", cookie_of("", 0, options_.secure_cookies));
    return now(std::move(response));
  }
  if (path[2] != "tokens" || path.size() > 4) throw Problem{404, "nothing has this address"};
  expect_role(account, Role::admin);
  if (path.size() == 4) {
    if (request.method != "DELETE") wrong_method();
    const auto accounts = accounts_.list();
    const auto found = std::ranges::find_if(
        accounts, [&](const Account& one) { return std::to_string(one.number) == path[3]; });
    if (found == accounts.end()) throw Problem{404, "no token has this number"};
    if (found->number == account.number) throw Problem{409, "this is your own token"};
    accounts_.remove(found->number);
    return now(empty_response());
  }
  if (request.method == "POST") return now(add_token(request));
  if (request.method != "GET") wrong_method();
  json tokens = json::array();
  for (const Account& one : accounts_.list()) tokens.push_back(json_of(one));
  return now(json_response({{"tokens", std::move(tokens)}}));
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
  if (request.method != "POST") wrong_method();
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
  const auto settings = projects_.settings_of(call.project);
  // Who may not see a project does not learn whether it is there.
  if (!settings || !caller.account.may_see(call.project)) throw Problem{404, "no such project"};
  bool is_address = false;
  for (const ProjectRoute& route : project_routes()) {
    if (!fits(route.path, call.segments)) continue;
    is_address = true;
    if (route.method != request.method) continue;
    expect_role(caller.account, route.least);
    routed.kind = route.kind;
    routed.handler = route.handler;
    if (route.kind == Kind::apart) return export_of(call);
    constexpr std::int64_t longest_wait = 60;
    if (route.kind == Kind::next) routed.wait = number_in_query(request, "wait", 0, 0, longest_wait);
    if (route.handler == post_instances && is_ndjson(request)) routed.kind = Kind::instances;
    if (route.handler == post_predictions && is_ndjson(request)) routed.kind = Kind::predictions;
    return routed;
  }
  if (is_address) wrong_method();
  throw Problem{404, "nothing has this address"};
}

Routed Api::export_of(const Call& call) {
  const auto query = call.request.query.find("format");
  const std::string format = query == call.request.query.end() ? "csv" : query->second;
  if (format != "csv" && format != "jsonl") throw Problem{400, "format is csv or jsonl"};
  Routed routed;
  routed.kind = Kind::apart;
  routed.call = call;
  routed.make = [this, call, format] {
    const ProjectSettings settings = projects_.settings_of(call.project).value();
    const LabelPlan plan = label_plan_of(settings);
    std::string path = projects_.folder() + "/export-XXXXXX";
    const int descriptor = mkstemp(path.data());
    if (descriptor < 0) throw FileError(path + ": cannot be written");
    close(descriptor);
    std::ofstream out(path, std::ios::binary);
    const auto write = [&](std::string_view text) {
      out.write(text.data(), static_cast<std::streamsize>(text.size()));
    };
    const auto export_to = call.segments[0] == "labels" ? export_labels : export_decisions;
    try {
      export_to(projects_.ledger_of(call.project), plan,
                format == "csv" ? ExportFormat::csv : ExportFormat::jsonl, write);
      out.close();
      if (!out) throw FileError(path + ": cannot be written");
    } catch (...) {
      unlink(path.c_str());
      throw;
    }
    const std::string name = fmt::format("{}-{}.{}", call.project, call.segments[0], format);
    return Response{.status = 200,
                    .type = format == "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson",
                    .body = {},
                    .headers = {{"Content-Disposition", fmt::format("attachment; filename=\"{}\"", name)}},
                    .file = path,
                    .leases = {}};
  };
  return routed;
}

}  // namespace askfew::server
