#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "apps/server/client_stream.h"
#include "apps/server/http.h"

namespace askfew::server {

/// One client: reads requests and writes responses. Requests are parsed by Beast, whose types stay in the
/// source.
class HttpConnection {
 public:
  /// `tls`: null for plain HTTP.
  HttpConnection(tcp::socket socket, asio::ssl::context* tls);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;
  HttpConnection(HttpConnection&&) = delete;
  HttpConnection& operator=(HttpConnection&&) = delete;

  [[nodiscard]] ClientStream& stream() { return stream_; }
  /// Nothing of a request has come since the last response.
  [[nodiscard]] bool is_idle() const { return is_idle_; }

  /// Reads the header of the next request. False: the client has gone, or has sent nothing for too long.
  asio::awaitable<bool> read_header(error_code& error);

  // Of the request whose header was read last.
  /// Method and fields, without target and body. `behind_proxy`: the client's address and scheme are those
  /// that the proxy has added.
  [[nodiscard]] Request request(bool behind_proxy);
  [[nodiscard]] std::string_view target() const;
  [[nodiscard]] bool keeps_alive() const;
  [[nodiscard]] bool expects_continue() const;
  /// Nothing: the length is not known before the end.
  [[nodiscard]] std::optional<std::uint64_t> body_length() const;

  /// Reads the whole body.
  asio::awaitable<std::string> read_body(error_code& error);
  /// Reads some bytes of the body; 0: the body has ended, or there is an error.
  asio::awaitable<std::size_t> read_body_some(std::span<char> room, error_code& error);
  [[nodiscard]] bool is_body_done() const;

  /// THROWS: boost::system::system_error if the client has gone; FileError.
  asio::awaitable<void> send(const Response& response, bool with_body, bool keep_alive);
  /// Sends the header of a response whose body follows; `is_chunked`: in chunks, otherwise up to the end of
  /// the connection. THROWS: as `send`.
  asio::awaitable<void> send_header(const Response& response, bool is_chunked);
  /// THROWS: as `send`.
  asio::awaitable<void> send_text(std::string_view text);

 private:
  struct Parsing;
  asio::awaitable<void> parse_some(error_code& error);
  asio::awaitable<void> send_file(const Response& response, bool keep_alive);

  ClientStream stream_;
  std::unique_ptr<Parsing> parsing_;
  bool is_idle_ = true;
};

/// The problem of a request that cannot be read; nothing: the client has gone.
std::optional<Problem> problem_of(error_code error);

}  // namespace askfew::server
