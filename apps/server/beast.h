#pragma once

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
#include <optional>
#include <string>

#include "apps/server/http.h"

// What the sources that speak HTTP share. Only server.cc includes this header, because Beast takes long to
// compile.

namespace askfew::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using HeaderParser = http::request_parser<http::empty_body>;

inline constexpr std::uint32_t max_header = 16 * 1024;
inline constexpr std::size_t max_read = 128 * 1024;  // bytes of a connection that are read at once
inline constexpr std::uint64_t max_body = std::uint64_t{8} << 20;
inline constexpr std::uint64_t max_stream = std::uint64_t{1} << 40;  // bytes of lines in one request
inline constexpr std::uint64_t max_stranger = 64 * 1024;             // bytes that are read before a login
inline constexpr std::size_t max_unread = std::size_t{32} << 20;     // answers that a client has not read yet
inline constexpr auto idle_time = 60s;  // for the next request, or a piece of one
inline constexpr auto body_time = 30s;
inline constexpr auto stop_time = 10s;
inline constexpr std::size_t max_refused = 100;  // connections that are told that there are too many
inline constexpr std::string_view too_many_connections =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\nRetry-After: 1\r\n"
    "Connection: close\r\n\r\n"
    R"({"type":"about:blank","title":"Service Unavailable","status":503,"detail":"too many connections: try again"})";
inline constexpr const char* policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https: http:; connect-src "
    "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Writes the error of an operation there, instead of throwing it.
inline auto ignoring(error_code& error) {
  return asio::redirect_error(asio::use_awaitable, error);
}

inline Request request_of(const http::request<http::empty_body>& header) {
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

/// The last of several values between commas.
inline std::string last_of(std::string_view values) {
  values.remove_prefix(values.rfind(',') + 1);
  while (values.starts_with(' ')) values.remove_prefix(1);
  while (values.ends_with(' ')) values.remove_suffix(1);
  return std::string(values);
}

/// Takes the client's address and scheme from the proxy: what it added behind what the client may have sent.
inline void believe_proxy(const http::request<http::empty_body>& header, Request& request) {
  const auto field = [&](const char* name) {
    std::string_view value;
    const auto all = header.equal_range(name);
    for (auto one = all.first; one != all.second; ++one) value = {one->value().data(), one->value().size()};
    return last_of(value);
  };
  error_code error;
  const auto address = asio::ip::make_address(field("X-Forwarded-For"), error);
  if (!error) request.client = address.to_string();
  request.is_forwarded_https = beast::iequals(field("X-Forwarded-Proto"), "https");
}

/// Is this a request of lines that are answered while they come?
inline bool is_stream(const Request& request) {
  const bool takes_lines = request.segments.size() == 5 &&
                           (request.segments[4] == "instances" || request.segments[4] == "predictions");
  return takes_lines && request.method == "POST" && request.content_type.starts_with("application/x-ndjson");
}

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The problem of a request that cannot be read; nothing: the client has gone.
inline std::optional<Problem> problem_of(error_code error) {
  if (error == http::error::end_of_stream || error == http::error::partial_message ||
      error == asio::error::connection_reset || error == asio::error::operation_aborted)
    return std::nullopt;
  if (error == http::error::header_limit || error == http::error::buffer_overflow)
    return Problem{431, "the header is too long"};
  if (error == http::error::body_limit) return Problem{413, "the body is too long"};
  if (error == beast::error::timeout) return Problem{408, "the request came too slowly"};
  return Problem{400, error.message()};
}

/// The fields of a response, apart from those about its length and the connection.
template <class Visit>
void for_each_field(const Response& response, const Visit& visit) {
  if (!response.type.empty()) visit("Content-Type", response.type);
  visit("X-Content-Type-Options", "nosniff");
  visit("Content-Security-Policy", policy);
  visit("Referrer-Policy", "no-referrer");
  bool is_cached = false;
  for (const auto& [name, value] : response.headers) {
    visit(name, value);
    is_cached |= name == "Cache-Control";
  }
  if (!is_cached) visit("Cache-Control", "no-store");
}

/// The status and the fields of a response whose body comes in pieces.
template <class Body>
http::response<Body> head_of(const Response& response, bool keep_alive) {
  http::response<Body> head{static_cast<http::status>(response.status), 11};
  head.keep_alive(keep_alive);
  for_each_field(response, [&](std::string_view name, std::string_view value) { head.insert(name, value); });
  return head;
}

/// A response as it is sent. One text, because Beast takes longer for a list of fields than for all the rest.
inline std::string text_of(const Response& response, const std::string& method, bool keep_alive) {
  const auto reason = http::obsolete_reason(static_cast<http::status>(response.status));
  std::string text = "HTTP/1.1 " + std::to_string(response.status) + ' ';
  text.append(reason.data(), reason.size()).append("\r\n");
  const auto add = [&](std::string_view name, std::string_view value) {
    text.append(name).append(": ").append(value).append("\r\n");
  };
  if (!keep_alive) add("Connection", "close");
  for_each_field(response, add);
  const bool has_body = response.status != 204 && response.status != 304;
  if (has_body) add("Content-Length", std::to_string(response.body.size()));
  text += "\r\n";
  if (has_body && method != "HEAD") text += response.body;
  return text;
}

}  // namespace askfew::server
