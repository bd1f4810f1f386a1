#include "apps/server/server.h"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <csignal>
#include <fmt/core.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

#include "askfew/core/errors.h"
#include "askfew/sessions/line_buffer.h"

#include "apps/server/api.h"
#include "apps/server/json_body.h"

namespace askfew::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using HeaderParser = http::request_parser<http::empty_body>;

constexpr std::uint32_t max_header = 16 * 1024;
constexpr std::uint64_t max_body = std::uint64_t{8} << 20;
constexpr std::uint64_t max_stream = std::uint64_t{1} << 40;  // bytes of lines in one request
constexpr std::uint64_t max_stranger = 64 * 1024;             // bytes that are read before a login
constexpr std::size_t max_unread = std::size_t{32} << 20;     // answers that a client has not read yet
constexpr auto idle_time = 60s;                               // for the next request, or a piece of one
constexpr auto body_time = 30s;
constexpr auto stop_time = 10s;
constexpr const char* policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https: http:; connect-src "
    "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

auto ignoring(error_code& error) {
  return asio::redirect_error(asio::use_awaitable, error);
}

/// The answers of a stream of lines that are on their way to the client.
struct Outgoing {
  explicit Outgoing(asio::io_context& io) : written(io) {}
  std::string text;
  bool is_writing = false;
  bool failed = false;
  asio::steady_timer written;  // cancelled after each piece
};

class Server {
 public:
  explicit Server(const ServerOptions& options)
      : options_(options),
        accounts_(opened_folder(options.folder) + "/accounts.sqlite"),
        projects_(options.folder,
                  {.threads = options.threads,
                   .sync = options.sync,
                   .max_open = options.max_open,
                   .max_memory = options.max_memory,
                   .lease = options.lease * 1'000'000,
                   .patience = options.patience * 1'000'000},
                  accounts_.leases(std::int64_t{std::time(nullptr)} * 1'000'000),
                  [this](const std::string& id) { asio::post(io_, [this, id] { wake(id); }); }),
        api_(accounts_, projects_, metrics_,
             {.rate = options.rate, .secure_cookies = options.secure_cookies}),
        acceptor_(io_),
        signals_(io_, SIGINT, SIGTERM),
        tick_(io_),
        end_(io_) {}

  void run() {
    listen();
    say_token();
    options_.say(fmt::format("listening on http://{}:{}", host(), acceptor_.local_endpoint().port()));
    asio::co_spawn(io_, accept_all(), asio::detached);
    asio::co_spawn(io_, tidy_now_and_then(), asio::detached);
    signals_.async_wait([this](error_code error, int) {
      if (!error) stop();
    });
    io_.run();
    projects_.stop();
  }

 private:
  struct Connection {
    beast::tcp_stream stream;
    beast::flat_buffer buffer{max_header + 8192};
    bool is_idle = true;
  };

  /// The database lies in the folder, which must be there before.
  static std::string opened_folder(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw FileError(fmt::format("{}: cannot make the folder: {}", folder, error.message()));
    return folder;
  }

  [[nodiscard]] std::string host() const {
    const auto address = acceptor_.local_endpoint().address();
    return address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
  }

  void listen() {
    error_code error;
    const auto address = asio::ip::make_address(options_.address, error);
    if (error) throw ConfigError(fmt::format("{} is not the address of a network", options_.address));
    const tcp::endpoint endpoint(address, options_.port);
    acceptor_.open(endpoint.protocol());
    acceptor_.set_option(asio::socket_base::reuse_address(true));
    acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error)
      throw FileError(
          fmt::format("cannot listen on {} port {}: {}", options_.address, options_.port, error.message()));
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
    for (const auto& [id, timers] : waiting_) {
      for (asio::steady_timer* timer : timers) timer->cancel();
    }
    for (Connection* connection : connections_) {
      if (connection->is_idle) connection->stream.cancel();
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
      if (connections_.size() >= options_.max_connections) continue;  // the socket closes
      socket.set_option(tcp::no_delay(true), error);
      asio::co_spawn(io_, serve(std::move(socket)), asio::detached);
    }
  }

  asio::awaitable<void> tidy_now_and_then() {
    while (!is_stopping_) {
      tick_.expires_after(1s);
      error_code error;
      co_await tick_.async_wait(ignoring(error));
      if (!is_stopping_) projects_.tidy();
    }
  }

  asio::awaitable<void> serve(tcp::socket socket) {
    Connection connection{beast::tcp_stream(std::move(socket))};
    connections_.insert(&connection);
    metrics_.connected(1);
    try {
      while (!is_stopping_ && co_await serve_one(connection)) {
      }
    } catch (const std::exception&) {
      // The client has gone.
    }
    error_code ignored;
    connection.stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
    connections_.erase(&connection);
    metrics_.connected(-1);
    if (is_stopping_ && connections_.empty()) end_.cancel();
  }

  /// Answers one request; false: the connection ends.
  asio::awaitable<bool> serve_one(Connection& connection) {
    HeaderParser header;
    header.header_limit(max_header);
    header.body_limit(max_stream);
    connection.is_idle = true;
    connection.stream.expires_after(idle_time);
    error_code error;
    co_await http::async_read_header(connection.stream, connection.buffer, header, ignoring(error));
    connection.is_idle = false;
    if (error == http::error::end_of_stream || error == beast::error::timeout ||
        error == asio::error::operation_aborted)
      co_return false;
    const auto start = Clock::now();
    if (error) co_return co_await refuse(connection, error, start);
    Request request = request_of(header.get());
    const bool keep_alive = header.get().keep_alive();
    Routed routed;
    std::optional<Response> early;
    try {
      if (!read_target({header.get().target().data(), header.get().target().size()}, request))
        throw Problem{400, "the address is malformed"};
      const bool is_long = header.chunked() || header.content_length().value_or(0) > max_stranger;
      if (is_long) api_.expect_known(request);
      if (is_stream(request)) {
        routed = api_.route(request);
      } else if (header.content_length().value_or(0) > max_body) {
        throw Problem{413, fmt::format("the body has more than {} bytes", max_body)};
      }
    } catch (...) {
      early = response_of(std::current_exception());
    }
    if (early) {
      co_await send(connection, request, *early, false, start);
      co_return false;  // the body was not read
    }
    if (beast::iequals(header.get()[http::field::expect], "100-continue")) {
      constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
      co_await asio::async_write(connection.stream, asio::buffer(go_on), asio::use_awaitable);
    }
    if (routed.kind == Routed::Kind::instances || routed.kind == Routed::Kind::predictions) {
      co_await stream_lines(connection, header, routed);
      metrics_.add(200, seconds_since(start));
      co_return false;
    }
    http::request_parser<http::string_body> parser(std::move(header));
    parser.body_limit(max_body);
    connection.stream.expires_after(body_time);
    if (!parser.is_done())
      co_await http::async_read(connection.stream, connection.buffer, parser, ignoring(error));
    if (error) co_return co_await refuse(connection, error, start);
    request.body = std::move(parser.get().body());
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
    connection.stream.expires_never();
    if (!response) response = co_await answer(routed);
    const bool goes_on = keep_alive && !is_stopping_;
    co_await send(connection, request, *response, goes_on, start);
    co_return goes_on;
  }

  static Request request_of(const http::request<http::empty_body>& header) {
    const auto field = [&](http::field name) {
      const auto value = header[name];
      return std::string(value.data(), value.size());
    };
    Request request;
    request.method = std::string(header.method_string().data(), header.method_string().size());
    request.content_type = field(http::field::content_type);
    request.authorization = field(http::field::authorization);
    request.cookie = cookie_in(field(http::field::cookie), "askfew");
    const auto csrf = header["X-CSRF-Token"];
    request.csrf = std::string(csrf.data(), csrf.size());
    request.if_none_match = field(http::field::if_none_match);
    request.accepts_gzip = field(http::field::accept_encoding).find("gzip") != std::string::npos;
    return request;
  }

  static bool is_stream(const Request& request) {
    const bool takes_lines = request.segments.size() == 5 &&
                             (request.segments[4] == "instances" || request.segments[4] == "predictions");
    return takes_lines && request.method == "POST" &&
           request.content_type.starts_with("application/x-ndjson");
  }

  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  /// A request that cannot be read.
  asio::awaitable<bool> refuse(Connection& connection, error_code error, Clock::time_point start) {
    Problem problem{400, error.message()};
    if (error == http::error::header_limit || error == http::error::buffer_overflow)
      problem = {431, "the header is too long"};
    if (error == http::error::body_limit)
      problem = {413, fmt::format("the body has more than {} bytes", max_body)};
    if (error == beast::error::timeout) problem = {408, "the request came too slowly"};
    if (error == http::error::end_of_stream || error == http::error::partial_message ||
        error == asio::error::connection_reset || error == asio::error::operation_aborted)
      co_return false;
    const Request nothing;
    const Response response = response_of(problem);
    co_await send(connection, nothing, response, false, start);
    co_return false;
  }

  /// The exception of work on a project; null: none.
  struct Failure {
    std::exception_ptr exception;
  };

  asio::awaitable<Failure> in_project(const std::string& id, const Projects::Work& work) {
    return asio::async_initiate<const asio::use_awaitable_t<>, void(Failure)>(
        [this, id, work](auto handler) { projects_.run(id, work, done_by(std::move(handler))); },
        asio::use_awaitable);
  }

  asio::awaitable<Failure> in_another_thread(const std::function<void()>& work) {
    return asio::async_initiate<const asio::use_awaitable_t<>, void(Failure)>(
        [this, work](auto handler) { projects_.run_apart(work, done_by(std::move(handler))); },
        asio::use_awaitable);
  }

  /// Continues with the handler in the thread of the connections.
  template <class Handler>
  Projects::Done done_by(Handler handler) {
    auto shared = std::make_shared<Handler>(std::move(handler));
    return [this, shared](const std::exception_ptr& failure) {
      asio::post(io_, [shared, failure] { std::move (*shared)(Failure{failure}); });
    };
  }

  asio::awaitable<Response> answer(const Routed& routed) {
    Response response;
    Failure failure;
    if (routed.kind == Routed::Kind::answer) {
      const Projects::Work nothing = [](Project&) {};
      for (const std::string& id : routed.open) {
        failure = co_await in_project(id, nothing);
      }
      co_return routed.make();
    }
    if (routed.kind == Routed::Kind::apart) {
      const std::function<void()> work = [&] { response = routed.make(); };
      failure = co_await in_another_thread(work);
      co_return failure.exception ? response_of(failure.exception) : response;
    }
    const auto deadline = Clock::now() + std::chrono::seconds(routed.wait);
    const Projects::Work work = [&](Project& project) { response = routed.handler(project, routed.call); };
    while (true) {
      failure = co_await in_project(routed.call.project, work);
      if (failure.exception) co_return response_of(failure.exception);
      if (!response.leases.empty()) accounts_.keep_leases(routed.call.project, response.leases);
      const bool is_over = Clock::now() >= deadline || is_stopping_;
      if (routed.kind != Routed::Kind::next || !response.leases.empty() || is_over) co_return response;
      // A lease may end without a change of the counts.
      const auto pause = std::min<Clock::duration>(deadline - Clock::now(), 1s);
      co_await change_of(routed.call.project, pause);
    }
  }

  /// Waits until the counts of a project change, at most so long.
  asio::awaitable<void> change_of(const std::string& id, Clock::duration longest) {
    asio::steady_timer timer(io_, longest);
    waiting_[id].insert(&timer);
    error_code ignored;
    co_await timer.async_wait(ignoring(ignored));
    waiting_[id].erase(&timer);
    if (waiting_[id].empty()) waiting_.erase(id);
  }

  void wake(const std::string& id) {
    const auto found = waiting_.find(id);
    if (found == waiting_.end()) return;
    for (asio::steady_timer* timer : found->second) timer->cancel();
  }

  template <class Body>
  http::response<Body> head_of(const Response& response, bool keep_alive) const {
    http::response<Body> head{static_cast<http::status>(response.status), 11};
    head.keep_alive(keep_alive);
    if (!response.type.empty()) head.set(http::field::content_type, response.type);
    head.set("X-Content-Type-Options", "nosniff");
    head.set("Content-Security-Policy", policy);
    head.set("Referrer-Policy", "no-referrer");
    bool is_cached = false;
    for (const auto& [name, value] : response.headers) {
      head.insert(name, value);
      is_cached |= name == "Cache-Control";
    }
    if (!is_cached) head.set(http::field::cache_control, "no-store");
    return head;
  }

  asio::awaitable<void> send(Connection& connection, const Request& request, const Response& response,
                             bool keep_alive, Clock::time_point start) {
    if (!response.file.empty()) {
      auto message = head_of<http::file_body>(response, keep_alive);
      error_code error;
      message.body().open(response.file.c_str(), beast::file_mode::scan, error);
      unlink(response.file.c_str());
      if (error) throw FileError(error.message());
      message.prepare_payload();
      co_await write(connection, message);
    } else {
      auto message = head_of<http::string_body>(response, keep_alive);
      const bool has_body = response.status != 204 && response.status != 304;
      if (has_body) {
        message.content_length(response.body.size());
        if (request.method != "HEAD") message.body() = response.body;
      }
      co_await write(connection, message);
    }
    metrics_.add(response.status, seconds_since(start));
    if (options_.log) {
      const nlohmann::json line{{"time", std::time(nullptr)},
                                {"method", request.method},
                                {"path", request.path},
                                {"status", response.status},
                                {"ms", 1e3 * seconds_since(start)}};
      options_.log(line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    }
  }

  /// Piece by piece: a slow reader has time for each piece, a reader that has stopped has not.
  template <class Message>
  asio::awaitable<void> write(Connection& connection, Message& message) {
    http::serializer<false, typename Message::body_type> serializer(message);
    while (!serializer.is_done()) {
      connection.stream.expires_after(idle_time);
      co_await http::async_write_some(connection.stream, serializer, asio::use_awaitable);
    }
  }

  asio::awaitable<void> send_events(Connection& connection, std::string id) {
    Response response;
    response.type = "text/event-stream";
    auto head = head_of<http::empty_body>(response, false);
    http::response_serializer<http::empty_body> serializer(head);
    connection.stream.expires_after(idle_time);
    co_await http::async_write_header(connection.stream, serializer, asio::use_awaitable);
    const Projects::Work nothing = [](Project&) {};
    if (!projects_.counts_of(id)) co_await in_project(id, nothing);
    std::optional<ProjectCounts> sent;
    while (!is_stopping_) {
      const auto counts = projects_.counts_of(id).value_or(ProjectCounts{});
      std::string text = ":\n\n";  // a comment, so that a client that has gone is noticed
      if (counts != sent) text = "event: change\ndata: " + json_of(counts).dump() + "\n\n";
      sent = counts;
      connection.stream.expires_after(idle_time);
      co_await asio::async_write(connection.stream, asio::buffer(text), asio::use_awaitable);
      co_await change_of(id, 15s);
      asio::steady_timer pause(io_, 250ms);
      error_code ignored;
      co_await pause.async_wait(ignoring(ignored));
    }
  }

  asio::awaitable<void> stream_lines(Connection& connection, HeaderParser& header, const Routed& routed) {
    http::request_parser<http::buffer_body> parser(std::move(header));
    Response response;
    response.type = "application/x-ndjson";
    auto head = head_of<http::empty_body>(response, false);
    head.chunked(true);
    http::response_serializer<http::empty_body> serializer(head);
    co_await http::async_write_header(connection.stream, serializer, asio::use_awaitable);
    // Reading and writing go on at the same time, because many clients read only after they have sent all. So
    // the time-outs of the stream, which are for one of both, are not used.
    connection.stream.expires_never();
    auto out = std::make_shared<Outgoing>(io_);
    LineBuffer input;
    std::string problem;
    while (!parser.is_done() && problem.empty() && !out->failed) {
      const std::span<char> room = input.room();
      parser.get().body().data = room.data();
      parser.get().body().size = room.size();
      error_code error;
      asio::steady_timer late(io_, idle_time);
      late.async_wait([&connection](error_code cancelled) {
        if (!cancelled) connection.stream.cancel();
      });
      co_await http::async_read_some(connection.stream, connection.buffer, parser, ignoring(error));
      late.cancel();
      if (error && error != http::error::need_buffer) {
        problem = "the lines have no end: " + error.message();
        break;
      }
      const std::size_t got = room.size() - parser.get().body().size;
      const auto lines = input.lines(got);
      if (!lines.empty()) problem = co_await answer_lines(routed, lines, out->text);
      start_writing(connection, out);
      while (out->text.size() > max_unread && !out->failed) co_await piece_of(*out);
    }
    if (problem.empty() && !out->failed) {
      const auto last = input.last_line();
      if (!last.empty()) problem = co_await answer_lines(routed, last, out->text);
    }
    if (!problem.empty()) out->text += nlohmann::json{{"error", problem}}.dump() + "\n";
    start_writing(connection, out);
    while (out->is_writing) co_await piece_of(*out);
    if (out->failed) co_return;
    constexpr std::string_view last_chunk = "0\r\n\r\n";
    connection.stream.expires_after(idle_time);
    co_await asio::async_write(connection.stream, asio::buffer(last_chunk), asio::use_awaitable);
  }

  /// Appends the answers to lines; returns the problem that ends the stream, or an empty text.
  asio::awaitable<std::string> answer_lines(const Routed& routed, std::span<const std::string_view> lines,
                                            std::string& out) {
    for (const std::string_view line : lines) {
      if (line.size() > max_line) co_return fmt::format("a line of more than {} bytes", max_line);
      if (is_too_deep(line)) co_return fmt::format("a line that is nested deeper than {}", max_depth);
    }
    std::string answers;
    const bool takes = routed.kind == Routed::Kind::instances;
    const Projects::Work work = [&](Project& project) {
      if (takes) {
        project.take_lines(lines, answers);
      } else {
        project.predict(lines, answers);
      }
    };
    const Failure failure = co_await in_project(routed.call.project, work);
    if (failure.exception) co_return nlohmann::json::parse(response_of(failure.exception).body)["detail"];
    out += answers;
    co_return std::string();
  }

  void start_writing(Connection& connection, const std::shared_ptr<Outgoing>& out) {
    if (out->is_writing || out->failed || out->text.empty()) return;
    out->is_writing = true;
    asio::co_spawn(io_, write_answers(connection, out), asio::detached);
  }

  asio::awaitable<void> write_answers(Connection& connection, std::shared_ptr<Outgoing> out) {
    while (!out->text.empty() && !out->failed) {
      std::string piece;
      piece.swap(out->text);
      const std::string head = fmt::format("{:x}\r\n", piece.size());
      constexpr std::string_view end = "\r\n";
      const std::array<asio::const_buffer, 3> buffers{asio::buffer(head), asio::buffer(piece),
                                                      asio::buffer(end)};
      error_code error;
      asio::steady_timer late(io_, idle_time);
      late.async_wait([&connection](error_code cancelled) {
        if (!cancelled) connection.stream.cancel();
      });
      co_await asio::async_write(connection.stream, buffers, ignoring(error));
      late.cancel();
      out->failed = static_cast<bool>(error);
      out->written.cancel();
    }
    out->is_writing = false;
    out->written.cancel();
  }

  asio::awaitable<void> piece_of(Outgoing& out) {
    error_code ignored;
    out.written.expires_after(1s);
    co_await out.written.async_wait(ignoring(ignored));
  }

  ServerOptions options_;
  asio::io_context io_{1};
  Accounts accounts_;
  Metrics metrics_;
  Projects projects_;
  Api api_;
  tcp::acceptor acceptor_;
  asio::signal_set signals_;
  asio::steady_timer tick_;
  asio::steady_timer end_;
  bool is_stopping_ = false;
  std::set<Connection*> connections_;
  std::map<std::string, std::set<asio::steady_timer*>> waiting_;
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
  Server(options).run();
}

}  // namespace askfew::server
