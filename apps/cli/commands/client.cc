#include <algorithm>
#include <cstdlib>
#include <fmt/core.h>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "askfew/core/errors.h"
#include "askfew/json/json_text.h"

#include "apps/cli/commands/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options/flags.h"
#include "apps/server/api_client.h"

namespace askfew::cli {
namespace {

using nlohmann::json;
using server::ApiClient;

std::string of_environment(const char* name, const char* usual) {
  const char* value = std::getenv(name);
  return value == nullptr ? usual : value;
}

struct ClientCommand {
  std::string url = of_environment("ASKFEW_URL", "http://127.0.0.1:8080");
  std::string token = of_environment("ASKFEW_TOKEN", "");
  std::string project;
  std::vector<std::string> files;
  std::uint64_t count = 1;
  std::uint64_t wait = 0;
  std::uint64_t events = 0;
  std::string id;
  std::string label;
  std::string topics;
  std::string comment;
  bool unsure = false;
  bool skip = false;
  bool none = false;

  void push() const;
  void next() const;
  void answer() const;
  void report() const;
  void watch() const;

 private:
  [[nodiscard]] std::unique_ptr<ApiClient> connect() const {
    if (token.empty()) throw ConfigError("the server wants a token: set ASKFEW_TOKEN, or give --token");
    return std::make_unique<ApiClient>(url, token);
  }
  [[nodiscard]] std::string path(const std::string& rest) const {
    return "/api/v1/projects/" + project + rest;
  }
  void push_lines(std::istream& in, const std::string& name, ApiClient& client) const;
};

/// Lines in one request, and its largest size in bytes.
constexpr std::size_t most_lines = 500;
constexpr std::size_t most_bytes = std::size_t{4} << 20;

void ClientCommand::push_lines(std::istream& in, const std::string& name, ApiClient& client) const {
  std::string body;
  std::size_t lines = 0;
  const auto send = [&] {
    if (lines == 0) return;
    const json answers = parse_json(client.send("POST", path("/instances"), body + ']'));
    for (const json& answer : answers.at("answers")) std::cout << json_text(answer) << '\n';
    std::cout.flush();
    body.clear();
    lines = 0;
  };
  std::uint64_t number = 0;
  for (std::string line; std::getline(in, line) && !interrupted_flag();) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (!is_json(line)) throw DataError({.line = number, .column = 1, .why = "not JSON", .file = name});
    body += lines == 0 ? '[' : ',';
    body += line;
    const bool is_last_for_now = in.rdbuf()->in_avail() <= 0;
    if (++lines == most_lines || body.size() > most_bytes || is_last_for_now) send();
  }
  send();
}

void ClientCommand::push() const {
  const auto client = connect();
  if (files.empty()) return push_lines(std::cin, "<stdin>", *client);
  for (const std::string& name : files) {
    if (name == "-") {
      push_lines(std::cin, "<stdin>", *client);
      continue;
    }
    std::ifstream file(name);
    if (!file) throw FileError(name + ": cannot be read");
    push_lines(file, name, *client);
  }
}

void ClientCommand::next() const {
  const json next =
      parse_json(connect()->send("GET", path(fmt::format("/questions/next?n={}&wait={}", count, wait))));
  for (const json& question : next.at("questions")) std::cout << json_text(question) << '\n';
  if (!next.at("nothing").is_null()) std::cerr << next["nothing"].value("detail", "") << '\n';
}

/// A number, or a text with its quotes, as in JSON; anything else is a text as it stands.
json id_of(const std::string& text) {
  json id = try_parse_json(text);
  return id.is_number() || id.is_string() ? id : json(text);
}

json names_of(const std::string& list) {
  json names = json::array();
  for (std::size_t from = 0; from < list.size();) {
    const std::size_t comma = std::min(list.find(',', from), list.size());
    names.push_back(list.substr(from, comma - from));
    from = comma + 1;
  }
  return names;
}

void ClientCommand::answer() const {
  const int given = (label.empty() ? 0 : 1) + (topics.empty() ? 0 : 1) + (none ? 1 : 0);
  if (given + (unsure || skip ? 1 : 0) != 1)
    throw ConfigError("give a LABEL, --topics or --none of a project of topics, --unsure or --skip");
  std::random_device random;
  const std::string key = fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
  json one{{"key", key}, {"id", id_of(id)}, {"unsure", unsure}};
  if (!label.empty()) one["label"] = label;
  if (!topics.empty() || none) one["labels"] = names_of(topics);
  if (!comment.empty()) one["comment"] = comment;
  const json sent{{"answers", json::array({one})}};
  const json result =
      parse_json(connect()->send("POST", path("/answers"), json_text(sent))).at("results").at(0);
  if (result.value("state", "error") == "error") throw ConfigError(result.value("detail", "not taken"));
  std::cout << json_text(result) << '\n';
}

void ClientCommand::report() const {
  std::cout << json_text(parse_json(connect()->send("GET", path("/report"))), 2) << '\n';
}

void ClientCommand::watch() const {
  std::uint64_t seen = 0;
  connect()->watch(path("/events"), [&](std::string_view data) {
    std::cout << data << std::endl;
    return ++seen != events;
  });
}

}  // namespace

void add_client(Command& program) {
  auto client = std::make_shared<ClientCommand>();
  Command* command = program.add_subcommand("client",
                                            "Send instances to a server, answer its questions, "
                                            "and read its reports.");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* what) {
    Command* added = command->add_subcommand(name, what);
    added->add_option("PROJECT", client->project, "id of the project")->required();
    added->add_option("--url", client->url, "the server; also ASKFEW_URL")->capture_default_str();
    added->add_option("--token", client->token,
                      "the token; better set ASKFEW_TOKEN, which other users do not see");
    return added;
  };
  Command* push = add("push", "Send JSON lines of instances and labels, and print the answers.");
  push->add_option("FILE", client->files, "JSON lines; - or none: standard input");
  push->callback([client] { client->push(); });
  Command* next = add("next", "Take questions: one line of JSON each.");
  next->add_option("-n", client->count, "number of questions")->unshown_range(1, 500)->type_name("N");
  next->add_option("--wait", client->wait, "wait up to so many seconds for the first question")
      ->unshown_range(0, 60)
      ->type_name("SECONDS");
  next->callback([client] { client->next(); });
  Command* answer = add("answer", "Answer a question.");
  answer->add_option("ID", client->id, "id of the question: a number, or a text")->required();
  answer->add_option("LABEL", client->label, "the label that fits");
  answer
      ->add_option("--topics", client->topics,
                   "in a project of topics: the topics that the document has, e.g. wheat,corn, and no other "
                   "topic in question")
      ->type_name("NAMES");
  answer->add_flag("--none", client->none,
                   "in a project of topics: the document has none of the topics in question");
  answer->add_flag("--unsure", client->unsure, "you looked, and do not know");
  answer->add_flag("--skip", client->skip, "skip the question: no answer");
  answer->add_option("--comment", client->comment, "kept with the answer");
  answer->callback([client] { client->answer(); });
  add("report", "Print the report.")->callback([client] { client->report(); });
  Command* watch = add("watch", "Print the counts whenever they change.");
  watch->add_option("--events", client->events, "end after so many events; 0: never")
      ->unshown_range(0, ~std::uint64_t{0})
      ->type_name("N");
  watch->callback([client] { client->watch(); });
}

}  // namespace askfew::cli
