#pragma once

#include <boost/asio/ssl/error.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <openssl/err.h>
#include <utility>
#include <variant>

#include "apps/server/beast.h"
#include "apps/server/tls.h"

namespace askfew::server {

/// The bytes to and from a client, by TCP or by TLS. Time-outs are those of beast::tcp_stream.
class ClientStream {
 public:
  using executor_type = beast::tcp_stream::executor_type;

  /// `tls`: null for plain TCP.
  ClientStream(tcp::socket socket, asio::ssl::context* tls) : stream_(made(std::move(socket), tls)) {}

  [[nodiscard]] executor_type get_executor() { return tcp_stream().get_executor(); }
  void expires_after(std::chrono::steady_clock::duration time) { tcp_stream().expires_after(time); }
  void expires_never() { tcp_stream().expires_never(); }
  void cancel() { tcp_stream().cancel(); }
  [[nodiscard]] std::string client_address() {
    error_code error;
    const auto endpoint = tcp_stream().socket().remote_endpoint(error);
    return error ? std::string() : endpoint.address().to_string();
  }
  [[nodiscard]] bool is_secure() const { return std::holds_alternative<Secure>(stream_); }

  /// False: the client speaks no TLS that this server accepts.
  asio::awaitable<bool> handshake() {
    auto* secure = std::get_if<Secure>(&stream_);
    if (secure == nullptr) co_return true;
    error_code error;
    tcp_stream().expires_after(handshake_time);
    co_await secure->async_handshake(asio::ssl::stream_base::server, ignoring(error));
    if (!error) co_return true;
    if (ERR_GET_REASON(static_cast<unsigned long>(error.value())) == SSL_R_HTTP_REQUEST)
      co_await asio::async_write(tcp_stream(), asio::buffer(wrong_scheme), ignoring(error));
    co_return false;
  }

  /// Tells the client that nothing more comes.
  asio::awaitable<void> close() {
    error_code ignored;
    if (auto* secure = std::get_if<Secure>(&stream_)) {
      tcp_stream().expires_after(close_time);
      co_await secure->async_shutdown(ignoring(ignored));
    }
    tcp_stream().socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return asio::async_initiate<Token, void(error_code, std::size_t)>(
        [this](auto handler, const Buffers& places) {
          std::visit([&](auto& stream) { stream.async_read_some(places, std::move(handler)); }, stream_);
        },
        token, buffers);
  }
  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return asio::async_initiate<Token, void(error_code, std::size_t)>(
        [this](auto handler, const Buffers& bytes) {
          std::visit([&](auto& stream) { stream.async_write_some(bytes, std::move(handler)); }, stream_);
        },
        token, buffers);
  }

 private:
  using Secure = beast::ssl_stream<beast::tcp_stream>;
  using Either = std::variant<beast::tcp_stream, Secure>;
  static constexpr auto handshake_time = 10s;
  static constexpr auto close_time = 2s;
  static constexpr std::string_view wrong_scheme =
      "HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nConnection: close\r\n\r\n"
      R"({"type":"about:blank","title":"Bad Request","status":400,"detail":"this port speaks HTTPS: use https://"})";

  static Either made(tcp::socket socket, asio::ssl::context* tls) {
    if (tls == nullptr) return Either(std::in_place_type<beast::tcp_stream>, std::move(socket));
    return Either(std::in_place_type<Secure>, beast::tcp_stream(std::move(socket)), *tls);
  }
  [[nodiscard]] beast::tcp_stream& tcp_stream() {
    return std::visit([](auto& stream) -> beast::tcp_stream& { return beast::get_lowest_layer(stream); },
                      stream_);
  }

  Either stream_;
};

/// One client.
struct Connection {
  ClientStream stream;
  beast::flat_buffer buffer{max_read};
  bool is_idle = true;  ///< no request is being answered
};

}  // namespace askfew::server
