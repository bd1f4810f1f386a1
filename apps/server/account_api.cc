#include "apps/server/account_api.h"

#include <algorithm>
#include <ctime>
#include <fmt/core.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "askfew/service/iso_time.h"

#include "apps/server/json_body.h"

namespace askfew::server {
namespace {

using nlohmann::json;

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

}  // namespace

Response AccountApi::logged_in(const Account& account, bool secure) {
  constexpr std::int64_t two_weeks = 14 * 86'400;
  const Accounts::Login login = accounts_.log_in(account, std::time(nullptr));
  Response response =
      json_response({{"name", account.name}, {"role", text_of(account.role)}, {"csrf", login.csrf}});
  response.headers.emplace_back("Set-Cookie", cookie_of(login.cookie, two_weeks, secure));
  return response;
}

Routed AccountApi::log_in(const Request& request) {
  const json body = parsed(request.body);
  const auto is_text = [&](const char* name) {
    return body.is_object() && body.contains(name) && body[name].is_string();
  };
  if (is_text("token")) {
    const Account* account = accounts_.of_token(body["token"].get<std::string>());
    if (account == nullptr) throw Problem{401, "the token is not known"};
    return routed_to(logged_in(*account, is_secure(request)));
  }
  if (!is_text("name") || !is_text("password"))
    throw Problem{400, "expected {\"token\": \"...\"}, or {\"name\": \"...\", \"password\": \"...\"}"};
  passwords_.take_one("passwords");
  const auto name = body["name"].get<std::string>();
  const auto is_right = std::make_shared<bool>(false);
  Routed routed;
  routed.before = [is_right, password = body["password"].get<std::string>(),
                   hash = accounts_.password_hash_of(name)] { *is_right = is_password(password, hash); };
  routed.make = [this, is_right, name, secure = is_secure(request)] {
    const Account* account = accounts_.of_name(name);
    if (!*is_right || account == nullptr) throw Problem{401, "the name or the password is wrong"};
    return logged_in(*account, secure);
  };
  return routed;
}

Routed AccountApi::set_password(const Request& request, const Account& account) {
  const json body = parsed(request.body);
  if (!body.is_object() || !body.contains("password") || !body["password"].is_string())
    throw Problem{400, "expected {\"password\": \"...\"}"};
  passwords_.take_one("passwords");
  const auto hash = std::make_shared<std::string>();
  Routed routed;
  routed.before = [hash, password = body["password"].get<std::string>()] { *hash = password_hash(password); };
  routed.make = [this, hash, number = account.number] {
    accounts_.set_password(number, *hash);
    return empty_response();
  };
  return routed;
}

Response AccountApi::add_token(const Request& request) {
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
      if (!id.is_string() || !projects_.contains(id.get<std::string>()))
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

Response AccountApi::remove_token(const std::string& number, const Account& account) {
  const auto accounts = accounts_.list();
  const auto found = std::ranges::find_if(
      accounts, [&](const Account& one) { return std::to_string(one.number) == number; });
  if (found == accounts.end()) throw Problem{404, "no token has this number"};
  if (found->number == account.number) throw Problem{409, "this is your own token"};
  accounts_.remove(found->number);
  return empty_response();
}

Response AccountApi::log_out(const Request& request, const Caller& caller) {
  if (caller.by_cookie) accounts_.log_out(request.cookie);
  Response response = empty_response();
  response.headers.emplace_back("Set-Cookie", cookie_of("", 0, is_secure(request)));
  return response;
}

Routed AccountApi::route_tokens(const Request& request, const Account& account) {
  expect_role(account, Role::admin);
  if (request.segments.size() == 4) {
    expect_method(request, "DELETE");
    return routed_to(remove_token(request.segments[3], account));
  }
  if (request.method == "POST") return routed_to(add_token(request));
  if (request.method != "GET") refuse_method("GET, POST");
  json tokens = json::array();
  for (const Account& one : accounts_.list()) tokens.push_back(json_of(one));
  return routed_to(json_response({{"tokens", std::move(tokens)}}));
}

Routed AccountApi::route(const Request& request, const Caller& caller) {
  const std::vector<std::string>& path = request.segments;
  const Account& account = caller.account;
  if (path[2] == "me" && path.size() == 3) {
    expect_method(request, "GET");
    return routed_to(json_response({{"name", account.name},
                                    {"role", text_of(account.role)},
                                    {"projects", account.projects ? json(*account.projects) : json()},
                                    {"csrf", caller.by_cookie ? json(caller.csrf) : json()}}));
  }
  if (path[2] == "me" && path.size() == 4 && path[3] == "password") {
    expect_method(request, "PUT");
    return set_password(request, account);
  }
  if (path[2] == "logout" && path.size() == 3) {
    expect_method(request, "POST");
    return routed_to(log_out(request, caller));
  }
  if (path[2] == "tokens" && path.size() <= 4) return route_tokens(request, account);
  throw Problem{404, "nothing has this address"};
}

}  // namespace askfew::server
