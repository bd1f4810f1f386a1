// Requests to a server in this process, over real connections: any bytes, requests that are nearly right, for
// every address. "TOKEN" stands for the token of the admin; "\n----\n" begins a new connection.

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <memory>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

#include "askfew/system/temporary_folder.h"

#include "apps/server/server.h"
#include "tests/fuzz/harness.h"

namespace askfew::fuzz {
namespace {

constexpr std::string_view new_connection = "\n----\n";
constexpr std::string_view token_mark = "TOKEN";

/// A server with a folder of its own. The destructor stops it as a signal does: with all that this writes.
class LiveServer {
 public:
  LiveServer() : folder_(std::filesystem::temp_directory_path() / "askfew-fuzz") {
    std::promise<void> listening;
    server::ServerOptions options;
    options.folder = folder_.path() / "projects";
    options.port = 0;
    options.threads = 2;
    options.sync = false;
    options.rate = 0;
    options.say = [&](const std::string& line) {
      const std::string last = line.substr(line.find_last_of(" :") + 1);
      if (!line.starts_with("listening")) {
        token_ = last;
        return;
      }
      port_ = std::stoi(last);
      listening.set_value();
    };
    options.log = [](const std::string&) {};
    thread_ = std::thread([options] { server::run_server(options); });
    listening.get_future().wait();
  }
  ~LiveServer() {
    kill(getpid(), SIGTERM);
    thread_.join();
  }
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;
  LiveServer(LiveServer&&) = delete;
  LiveServer& operator=(LiveServer&&) = delete;

  [[nodiscard]] const std::string& token() const { return token_; }

  /// All that the server sends for these bytes, until it closes the connection or is silent for so long.
  [[nodiscard]] std::string answer_to(std::string_view bytes, std::chrono::milliseconds patience) const {
    const int connection = socket(AF_INET, SOCK_STREAM, 0);
    FUZZ_CHECK(connection >= 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    FUZZ_CHECK(connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    timeval limit{};
    limit.tv_sec = patience.count() / 1000;
    limit.tv_usec = patience.count() % 1000 * 1000;
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    while (!bytes.empty()) {
      const ssize_t sent = send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) break;  // the server has refused the rest
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    shutdown(connection, SHUT_WR);
    std::string answer;
    std::array<char, 1 << 14> piece{};
    errno = 0;
    for (ssize_t got = 1; got > 0;) {
      got = recv(connection, piece.data(), piece.size(), 0);
      if (got > 0) answer.append(piece.data(), static_cast<std::size_t>(got));
    }
    is_silent_ = errno == EAGAIN || errno == EWOULDBLOCK;
    close(connection);
    return answer;
  }
  [[nodiscard]] bool is_silent() const { return is_silent_; }

 private:
  TemporaryFolder folder_;
  std::string token_;
  int port_ = 0;
  std::thread thread_;
  mutable bool is_silent_ = false;
};

std::string with_token(std::string_view text, const std::string& token) {
  std::string out;
  for (std::size_t at = text.find(token_mark); at != std::string_view::npos; at = text.find(token_mark)) {
    out.append(text.substr(0, at)).append(token);
    text.remove_prefix(at + token_mark.size());
  }
  return out.append(text);
}

/// No status of the answers blames the server.
void check_answers(std::string_view answers) {
  constexpr std::string_view status = "HTTP/1.1 ";
  FUZZ_CHECK(answers.empty() || answers.starts_with(status));
  constexpr std::string_view fault = "HTTP/1.1 5";
  FUZZ_CHECK(answers.find(fault) == std::string_view::npos);
}

/// These answers take their time by design.
bool may_wait(std::string_view text) {
  return text.find("wait") != std::string_view::npos || text.find("event") != std::string_view::npos ||
         text.find('%') != std::string_view::npos;
}

std::unique_ptr<LiveServer>& live_server() {
  static std::unique_ptr<LiveServer> server;
  return server;
}

std::string request(std::string_view method, std::string_view path, std::string_view body = "",
                    std::string_view type = "application/json") {
  std::string text;
  text.append(method).append(" ").append(path).append(
      " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\n");
  if (!body.empty()) text.append("Content-Type: ").append(type).append("\r\n");
  if (!body.empty()) text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
  return text.append("\r\n").append(body);
}

constexpr std::string_view project = "/api/v1/projects/spam";
constexpr std::string_view settings =
    R"({"name": "Spam", "question": "Is it?", "labels": ["spam", "ham"], "sampler": "perc", "audit": "10%"})";
constexpr std::string_view many =
    R"([{"id": "a", "text": "cheap watches"}, {"id": 2, "x": [0.5, 1]}, {"id": "c", "features": {"w": 1}}])";

std::string within(std::string_view rest) {
  return std::string(project).append(rest);
}

}  // namespace

std::vector<std::string> seeds() {
  const std::string create = request("POST", "/api/v1/projects", settings);
  const std::string instances = request("POST", within("/instances"), many);
  return {
      create + instances + request("GET", within("/questions/next?n=2")) +
          request(
              "POST", within("/answers"),
              R"({"answers": [{"key": "k", "id": "a", "label": "spam", "seconds": 1.5, "comment": "x"}]})") +
          request("GET", within("/answers?mine=1")) + request("DELETE", within("/answers/k")) +
          request("GET", within("/report")) + request("GET", within("/history")),
      create + instances + request("GET", within("/pending?order=doubtful&limit=1")) +
          request("GET", within("/pending?limit=2&after=0000000000000000-1")) +
          request("GET", within("/disagreements?limit=3")) +
          request("POST", within("/settlements"), R"({"id": "a", "label": "ham"})") +
          request("PATCH", project, R"({"budget": "5/day", "question": "Now?", "annotators": ["admin"]})") +
          request("GET", project) + request("GET", "/api/v1/projects"),
      create + request("POST", within("/pool"), many) + request("POST", within("/predictions"), many) +
          request("GET", within("/labels?format=csv")) + request("GET", within("/decisions?format=jsonl")) +
          request("GET", within("/model")) + request("GET", "/metrics") + request("HEAD", "/"),
      create + request("POST", within("/instances"),
                       "{\"id\": 1, \"text\": \"cheap\"}\n{\"id\": 1, \"label\": \"spam\"}\nnothing\n",
                       "application/x-ndjson"),
      "POST /api/v1/projects/spam/predictions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
      "TOKEN\r\nContent-Type: "
      "application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n1c\r\n{\"id\": 1, \"text\": \"cheap "
      "x\"}\n\r\n0\r\n\r\n" +
          std::string(new_connection) + request("GET", within("/events")),
      request("POST", "/api/v1/tokens", R"({"name": "ann", "role": "annotator", "projects": ["spam"]})") +
          request("GET", "/api/v1/tokens") + request("DELETE", "/api/v1/tokens/2") +
          request("GET", "/api/v1/me") + request("POST", "/api/v1/login", R"({"token": "TOKEN"})") +
          request("POST", "/api/v1/logout", "{}"),
      "GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nIf-None-Match: \"x\"\r\n\r\nGET /openapi.json "
      "HTTP/1.0\r\n"
      "Cookie: askfew=x; a=b\r\nX-CSRF-Token: y\r\nExpect: 100-continue\r\n\r\n" +
          std::string(new_connection) + "GET /healthz HTTP/1.1\r\n\r\n" + std::string(new_connection) +
          "\x16\x03\x01",
      create +
          request(
              "POST", "/api/v1/projects",
              R"({"name": "C", "kind": "classes", "labels": ["a", "b", "c"], "overlap": "50%:3", "expire": "1d"})") +
          request("POST", "/api/v1/projects/c/instances", many) +
          request("GET", "/api/v1/projects/c/questions/next")};
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew::fuzz;
  constexpr std::uint64_t inputs_of_a_server = 200;
  static std::uint64_t count = 0;
  std::unique_ptr<LiveServer>& server = live_server();
  if (count++ % inputs_of_a_server == 0) server.reset();
  const bool is_first = server == nullptr;
  if (is_first) server = std::make_unique<LiveServer>();
  std::string_view text = text_of(data, size);
  while (!text.empty()) {
    const std::size_t end = text.find(new_connection);
    const std::string_view bytes = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + new_connection.size());
    const bool waits = may_wait(bytes);
    const std::string answers =
        server->answer_to(with_token(bytes, server->token()), std::chrono::milliseconds(waits ? 50 : 60'000));
    FUZZ_CHECK(waits || !server->is_silent());
    check_answers(answers);
  }
  // The server must have ended before the tables that its first requests have made are destroyed.
  if (is_first) FUZZ_CHECK(std::atexit([] { live_server().reset(); }) == 0);
  return 0;
}
