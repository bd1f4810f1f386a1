#pragma once

#include <csignal>
#include <string>
#include <thread>
#include <utility>

#include "apps/server/beast.h"
#include "apps/server/client_stream.h"
#include "apps/server/listen.h"
#include "apps/server/server.h"

namespace askfew::server {

/// Takes the ledgers; false: another server has them for longer than a server that has just died.
inline bool take_now(LedgerCollection& ledgers) {
  for (int k = 0; k < 10; ++k) {
    if (ledgers.try_take()) return true;
    std::this_thread::sleep_for(50ms);
  }
  return false;
}

/// A server that waits for the ledgers of another server: requests get the status 503, but /healthz.
class Standby {
 public:
  /// `tls`: null for plain HTTP. REQUIRES: the options have ledgers, and outlive this object. THROWS:
  /// ConfigError, FileError.
  Standby(const ServerOptions& options, asio::ssl::context* tls)
      : options_(options), tls_(tls), acceptor_(io_), signals_(io_, SIGINT, SIGTERM), tick_(io_) {
    listen_on(acceptor_, options);
  }

  [[nodiscard]] std::string address() const { return address_of(acceptor_, tls_ != nullptr); }

  /// Waits until the ledgers are this server's; false: a signal came.
  bool wait() {
    asio::co_spawn(io_, accept_all(), asio::detached);
    asio::co_spawn(io_, take_ledgers(), asio::detached);
    signals_.async_wait([this](error_code error, int) {
      if (!error) end();
    });
    io_.run();
    return has_ledgers_;
  }
  /// The socket that listens, for the server that follows.
  Listening release() {
    const tcp protocol = acceptor_.local_endpoint().protocol();
    return {.protocol = protocol, .handle = acceptor_.release()};
  }

 private:
  static constexpr auto pause = 200ms;

  void end() {
    is_ending_ = true;
    io_.stop();  // clients that wait for an answer come again
  }

  /// The database may be away for a while, too.
  [[nodiscard]] bool try_take() const {
    try {
      return options_.ledgers->try_take();
    } catch (const FileError&) {
      return false;
    }
  }

  asio::awaitable<void> take_ledgers() {
    while (!is_ending_) {
      has_ledgers_ = try_take();
      if (has_ledgers_) co_return end();
      tick_.expires_after(pause);
      error_code ignored;
      co_await tick_.async_wait(ignoring(ignored));
    }
  }

  asio::awaitable<void> accept_all() {
    while (!is_ending_) {
      error_code error;
      tcp::socket socket = co_await acceptor_.async_accept(ignoring(error));
      if (!error) asio::co_spawn(io_, answer(std::move(socket)), asio::detached);
    }
  }

  asio::awaitable<void> answer(tcp::socket socket) {
    ClientStream stream(std::move(socket), tls_);
    if (!co_await stream.handshake()) co_return;
    stream.expires_after(body_time);
    beast::flat_buffer buffer(max_read);
    HeaderParser header;
    header.header_limit(max_header);
    error_code error;
    co_await http::async_read_header(stream, buffer, header, ignoring(error));
    if (error) co_return;
    Response response = response_of(Problem{503, "another server has the ledgers: this one waits for them"});
    response.headers.emplace_back("Retry-After", "1");
    if (header.get().target() == "/healthz") response = Response{.body = R"({"status":"waiting"})"};
    const std::string method(header.get().method_string().data(), header.get().method_string().size());
    const std::string text = text_of(response, method, false);
    co_await asio::async_write(stream, asio::buffer(text), ignoring(error));
    co_await stream.close();
  }

  const ServerOptions& options_;
  asio::ssl::context* tls_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_;
  asio::signal_set signals_;
  asio::steady_timer tick_;
  bool has_ledgers_ = false;
  bool is_ending_ = false;
};

}  // namespace askfew::server
