#include "apps/server/server.h"

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <chrono>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fmt/core.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

#include "askfew/core/errors.h"
#include "askfew/json/json_text.h"
#include "askfew/service/folder_ledgers.h"

#include "apps/server/api.h"
#include "apps/server/awaiting.h"
#include "apps/server/http_connection.h"
#include "apps/server/limits.h"
#include "apps/server/line_stream.h"
#include "apps/server/listen.h"
#include "apps/server/standby.h"

namespace askfew::server {
namespace {

constexpr std::string_view too_many_connections =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\nRetry-After: 1\r\n"
    "Connection: close\r\n\r\n"
    R"({"type":"about:blank","title":"Service Unavailable","status":503,"detail":"too many connections: try again"})";

/// Is this a request of lines that are answered while they come?
bool is_stream(const Request& request) {
  const bool takes_lines = request.segments.size() == 5 &&
                           (request.segments[4] == "instances" || request.segments[4] == "predictions");
  return takes_lines && request.method == "POST" && request.content_type.starts_with("application/x-ndjson");
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Server {
 public:
  /// `tls`: null for plain HTTP. `socket`: one that listens already; nothing: the server makes one.
  Server(const ServerOptions& options, asio::ssl::context* tls, std::optional<Listening> socket)
      : options_(options),
        tls_(tls),
        accounts_(opened_folder(options) + "/accounts.sqlite"),
        projects_(
            options.folder,
            {.threads = options.threads,
             .sync = options.sync,
             .max_open = options.max_open,
             .open_memory = options.open_memory,
             .max_memory = options.max_memory,
             .lease = options.lease * 1'000'000,
             .patience = options.patience * 1'000'000,
             .ledgers = options.ledgers},
            accounts_.leases(std::int64_t{std::time(nullptr)} * 1'000'000),
            [this](std::function<void()> work) { asio::post(io_, std::move(work)); },
            [this](const std::string& id) { awaiting_.wake(id); }),
        api_(accounts_, projects_, metrics_,
             {.rate = options.rate,
              .secure_cookies = options.secure_cookies || tls_ != nullptr,
              .unready = [this] { return is_ready_ ? "" : "the database of the ledgers does not answer"; }}),
        awaiting_(io_, projects_, accounts_),
        acceptor_(io_),
        signals_(io_, SIGINT, SIGTERM),
        tick_(io_),
        end_(io_) {
    if (socket) acceptor_.assign(socket->protocol, socket->handle);
  }

  void run() {
    const bool has_told = acceptor_.is_open();
    if (!has_told) listen_on(acceptor_, options_);
    say_token();
    if (!has_told) options_.say("listening on " + address_of(acceptor_, tls_ != nullptr));
    asio::co_spawn(io_, accept_all(), asio::detached);
    asio::co_spawn(io_, tidy_now_and_then(), asio::detached);
    signals_.async_wait([this](error_code error, int) {
      if (!error) stop();
    });
    io_.run();
    projects_.stop();
    if (is_lost_)
      throw FileError(options_.ledgers->name() + ": another server has taken the ledgers, so this one ends");
  }

 private:
  /// The database lies in the folder, which must be there before.
  static std::string opened_folder(const ServerOptions& options) {
    const std::string& folder = options.folder;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw FileError(fmt::format("{}: cannot make the folder: {}", folder, error.message()));
    bind_ledgers(folder, options.ledgers.get());
    return folder;
  }

  void say_token() {
    if (!accounts_.is_empty()) return;
    const std::string token = accounts_.add("admin", Role::admin, std::nullopt);
    options_.say("the token of admin, shown only now: " + token);
  }

  void stop() {
    is_stopping_ = true;
    error_code ignored;
    acceptor_.close(ignored);
    tick_.cancel();
    signals_.clear(ignored);  // a second signal ends the program at once
    signals_.cancel(ignored);
    awaiting_.stop();
    for (HttpConnection* connection : connections_) {
      if (connection->is_idle()) connection->stream().cancel();
    }
    end_.expires_after(stop_time);
    end_.async_wait([this](error_code error) {
      if (!error) io_.stop();
    });
    if (connections_.empty()) end_.cancel();
  }

  asio::awaitable<void> accept_all() {
    while (!is_stopping_) {
      error_code error;
      tcp::socket socket = co_await acceptor_.async_accept(ignoring(error));
      if (error == asio::error::operation_aborted || !acceptor_.is_open()) co_return;
      if (error) {  // as when there is no descriptor left
        asio::steady_timer pause(io_, 50ms);
        co_await pause.async_wait(ignoring(error));
        continue;
      }
      socket.set_option(tcp::no_delay(true), error);
      if (connections_.size() >= options_.max_connections) {
        metrics_.refused();
        if (refused_ < max_refused) asio::co_spawn(io_, refuse_connection(std::move(socket)), asio::detached);
        continue;
      }
      asio::co_spawn(io_, serve(std::move(socket)), asio::detached);
    }
  }

  asio::awaitable<void> tidy_now_and_then() {
    while (!is_stopping_) {
      tick_.expires_after(1s);
      error_code error;
      co_await tick_.async_wait(ignoring(error));
      if (is_stopping_) co_return;
      projects_.tidy();
      if (options_.ledgers != nullptr) check_ledgers();
    }
  }

  /// Says that there are too many connections, and waits a moment: a client that is still sending must be
  /// able to read this before the connection is reset.
  asio::awaitable<void> refuse_connection(tcp::socket socket) {
    ++refused_;
    ClientStream stream(std::move(socket), nullptr);
    stream.expires_after(1s);
    error_code error;
    const Pieces pieces{asio::buffer(too_many_connections)};
    if (tls_ == nullptr) co_await stream.write(pieces, error);
    co_await stream.close();
    std::array<char, 4096> ignored{};
    while (!error) co_await stream.read_some(asio::buffer(ignored), error);
    --refused_;
  }

  /// Are the ledgers still this server's? Another thread asks the database.
  void check_ledgers() {
    if (std::exchange(is_checking_, true)) return;
    const auto hold = std::make_shared<LedgerCollection::Hold>(LedgerCollection::Hold::unknown);
    projects_.run_apart([this, hold] { *hold = options_.ledgers->hold(); },
                        [this, hold](const std::exception_ptr&) { see(*hold); });
  }
  void see(LedgerCollection::Hold hold) {
    is_checking_ = false;
    const bool was_ready = std::exchange(is_ready_, hold == LedgerCollection::Hold::ours);
    if (was_ready != is_ready_ && hold != LedgerCollection::Hold::lost)
      options_.warn(options_.ledgers->name() +
                    (is_ready_ ? ": the database answers again" : ": the database does not answer"));
    is_lost_ = hold == LedgerCollection::Hold::lost;
    if (is_lost_ && !is_stopping_) stop();
  }

  asio::awaitable<void> serve(tcp::socket socket) {
    HttpConnection connection(std::move(socket), tls_);
    connections_.insert(&connection);
    metrics_.connected(1);
    try {
      if (co_await connection.stream().handshake()) {
        while (!is_stopping_ && co_await serve_one(connection)) {
        }
      }
    } catch (const std::exception&) {
      // The client has gone.
    }
    co_await connection.stream().close();
    connections_.erase(&connection);
    metrics_.connected(-1);
    if (is_stopping_ && connections_.empty()) end_.cancel();
  }

  /// Answers one request; false: the connection ends.
  asio::awaitable<bool> serve_one(HttpConnection& connection) {
    error_code error;
    if (!co_await connection.read_header(error)) co_return false;
    const auto start = Clock::now();
    if (error) co_return co_await refuse(connection, error, start);
    Request request = connection.request(options_.behind_proxy);
    const bool keep_alive = connection.keeps_alive();
    const std::uint64_t length = connection.body_length().value_or(max_stream);
    Routed routed;
    std::optional<Response> early;
    try {
      if (!read_target(connection.target(), request)) throw Problem{400, "the address is malformed"};
      if (length > max_stranger) api_.expect_known(request);
      if (is_stream(request)) {
        routed = api_.route(request);
      } else if (connection.body_length().value_or(0) > max_body) {
        throw Problem{413, fmt::format("the body has more than {} bytes", max_body)};
      }
    } catch (...) {
      early = response_of(std::current_exception());
    }
    if (early) {
      co_await send(connection, request, *early, false, start);
      co_return false;  // the body was not read
    }
    if (connection.expects_continue()) co_await connection.send_text("HTTP/1.1 100 Continue\r\n\r\n");
    if (routed.kind == Routed::Kind::instances || routed.kind == Routed::Kind::predictions) {
      LineStream lines(io_, awaiting_, connection, routed);
      co_await lines.run();
      metrics_.add(200, seconds_since(start));
      co_return false;
    }
    request.body = co_await connection.read_body(error);
    if (error) co_return co_await refuse(connection, error, start);
    std::optional<Response> response;
    try {
      routed = api_.route(request);
    } catch (...) {
      response = response_of(std::current_exception());
    }
    if (!response && routed.kind == Routed::Kind::events) {
      co_await send_events(connection, routed.call.project);
      metrics_.add(200, seconds_since(start));
      co_return false;
    }
    connection.stream().expires_never();
    if (!response) response = co_await awaiting_.answer(routed);
    const bool goes_on = keep_alive && !is_stopping_;
    co_await send(connection, request, *response, goes_on, start);
    co_return goes_on;
  }

  /// A request that cannot be read.
  asio::awaitable<bool> refuse(HttpConnection& connection, error_code error, Clock::time_point start) {
    const auto problem = problem_of(error);
    if (!problem) co_return false;
    const Request nothing;
    const Response response = response_of(*problem);
    co_await send(connection, nothing, response, false, start);
    co_return false;
  }

  asio::awaitable<void> send(HttpConnection& connection, const Request& request, const Response& response,
                             bool keep_alive, Clock::time_point start) {
    co_await connection.send(response, request.method != "HEAD", keep_alive);
    metrics_.add(response.status, seconds_since(start));
    if (options_.log) {
      const nlohmann::json line{{"time", std::time(nullptr)}, {"method", request.method},
                                {"path", request.path},       {"client", request.client},
                                {"status", response.status},  {"ms", 1e3 * seconds_since(start)}};
      options_.log(utf8_json_text(line));
    }
  }

  asio::awaitable<void> send_events(HttpConnection& connection, const std::string& id) {
    Response response;
    response.type = "text/event-stream";
    co_await connection.send_header(response, false);
    const Projects::Work nothing = [](Project&) {};
    if (!projects_.counts_of(id)) co_await awaiting_.in_project(id, nothing);
    std::optional<ProjectCounts> sent;
    while (!is_stopping_) {
      const auto counts = projects_.counts_of(id).value_or(ProjectCounts{});
      std::string text = ":\n\n";  // a comment, so that a client that has gone is noticed
      if (counts != sent) text = "event: change\ndata: " + json_text(json_of(counts)) + "\n\n";
      sent = counts;
      co_await connection.send_text(text);
      co_await awaiting_.change_of(id, 15s);
      asio::steady_timer pause(io_, 250ms);
      error_code ignored;
      co_await pause.async_wait(ignoring(ignored));
    }
  }

  ServerOptions options_;
  asio::ssl::context* tls_;  // null: plain HTTP
  asio::io_context io_{1};
  Accounts accounts_;
  Metrics metrics_;
  Projects projects_;
  Api api_;
  Awaiting awaiting_;
  tcp::acceptor acceptor_;
  asio::signal_set signals_;
  asio::steady_timer tick_;
  asio::steady_timer end_;
  bool is_stopping_ = false;
  std::size_t refused_ = 0;  // connections that are being refused
  bool is_ready_ = true;
  bool is_checking_ = false;
  bool is_lost_ = false;
  std::set<HttpConnection*> connections_;
};

/// Every connection and every open project needs a descriptor.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

void run_server(const ServerOptions& options) {
  raise_descriptor_limit();
  const std::unique_ptr<asio::ssl::context> tls =
      options.tls_certificate.empty() ? nullptr : server_tls(options.tls_certificate, options.tls_key);
  std::optional<Listening> socket;
  if (options.ledgers != nullptr && !take_now(*options.ledgers)) {
    Standby standby(options, tls.get());
    options.say("listening on " + standby.address());
    options.warn(options.ledgers->name() +
                 ": another server has the ledgers: this one waits, and takes over when it ends");
    if (!standby.wait()) return;
    options.warn(options.ledgers->name() + ": this server has the ledgers now");
    socket = standby.release();
  }
  Server(options, tls.get(), socket).run();
}

}  // namespace askfew::server
