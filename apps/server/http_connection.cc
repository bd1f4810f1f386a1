#include "apps/server/http_connection.h"

#include <boost/asio/error.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/status.hpp>
#include <cstdio>
#include <fmt/core.h>
#include <unistd.h>

#include "askfew/core/errors.h"

#include "apps/server/limits.h"

namespace askfew::server {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using Header = http::request_header<>;

constexpr std::string_view policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https: http:; connect-src "
    "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string text_of(beast::string_view text) {
  return {text.data(), text.size()};
}

/// The last of several values between commas.
std::string last_of(std::string_view values) {
  values.remove_prefix(values.rfind(',') + 1);
  while (values.starts_with(' ')) values.remove_prefix(1);
  while (values.ends_with(' ')) values.remove_suffix(1);
  return std::string(values);
}

/// Takes the client's address and scheme from the proxy: what it added behind what the client may have sent.
void believe_proxy(const Header& header, Request& request) {
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

/// The status line and the fields of a response; `body`: the fields that tell where its body ends.
std::string header_of(const Response& response, std::string_view body, bool keep_alive) {
  std::string text =
      fmt::format("HTTP/1.1 {} {}\r\n{}", response.status,
                  text_of(http::obsolete_reason(static_cast<http::status>(response.status))), body);
  const auto add = [&](std::string_view name, std::string_view value) {
    text.append(name).append(": ").append(value).append("\r\n");
  };
  if (!keep_alive) add("Connection", "close");
  if (!response.type.empty()) add("Content-Type", response.type);
  add("X-Content-Type-Options", "nosniff");
  add("Content-Security-Policy", policy);
  add("Referrer-Policy", "no-referrer");
  bool is_cached = false;
  for (const auto& [name, value] : response.headers) {
    add(name, value);
    is_cached |= name == "Cache-Control";
  }
  if (!is_cached) add("Cache-Control", "no-store");
  return text += "\r\n";
}

void expect_sent(const error_code& error) {
  if (error) throw boost::system::system_error(error);
}

}  // namespace

struct HttpConnection::Parsing {
  beast::flat_buffer buffer{max_read};
  std::optional<http::request_parser<http::buffer_body>> parser{};  // of the request that is being read
};

HttpConnection::HttpConnection(tcp::socket socket, asio::ssl::context* tls)
    : stream_(std::move(socket), tls), parsing_(std::make_unique<Parsing>()) {}
HttpConnection::~HttpConnection() = default;

/// Parses what has come, and reads more bytes only if that is not enough.
asio::awaitable<void> HttpConnection::parse_some(error_code& error) {
  beast::flat_buffer& buffer = parsing_->buffer;
  auto& parser = *parsing_->parser;
  while (true) {
    error = {};
    if (buffer.size() > 0) {
      buffer.consume(parser.put(buffer.data(), error));
      if (error != http::error::need_more) co_return;
    }
    if (buffer.size() == buffer.max_size()) {
      error = http::error::buffer_overflow;
      co_return;
    }
    const std::size_t room = std::min(buffer.max_size() - buffer.size(), max_read / 2);
    const std::size_t got = co_await stream_.read_some(buffer.prepare(room), error);
    if (error == asio::error::eof) {
      error = {};
      if (parser.got_some()) {
        parser.put_eof(error);
      } else {
        error = http::error::end_of_stream;
      }
      co_return;
    }
    if (error) co_return;
    buffer.commit(got);
  }
}

asio::awaitable<bool> HttpConnection::read_header(error_code& error) {
  parsing_->parser.emplace();
  parsing_->parser->header_limit(max_header);
  parsing_->parser->body_limit(max_stream);
  is_idle_ = true;
  stream_.expires_after(idle_time);
  error = {};
  while (!error && !parsing_->parser->is_header_done()) co_await parse_some(error);
  is_idle_ = false;
  co_return error != http::error::end_of_stream&& error != beast::error::timeout&& error !=
      asio::error::operation_aborted;
}

Request HttpConnection::request(bool behind_proxy) {
  const Header& header = parsing_->parser->get();
  const auto field = [&](http::field name) { return text_of(header[name]); };
  Request request;
  request.method = text_of(header.method_string());
  request.content_type = field(http::field::content_type);
  request.authorization = field(http::field::authorization);
  request.cookie = cookie_in(field(http::field::cookie), "askfew");
  request.csrf = text_of(header["X-CSRF-Token"]);
  request.if_none_match = field(http::field::if_none_match);
  request.accepts_gzip = field(http::field::accept_encoding).find("gzip") != std::string::npos;
  request.client = stream_.client_address();
  if (behind_proxy) believe_proxy(header, request);
  return request;
}

std::string_view HttpConnection::target() const {
  const auto target = parsing_->parser->get().target();
  return {target.data(), target.size()};
}

bool HttpConnection::keeps_alive() const {
  return parsing_->parser->keep_alive();
}

bool HttpConnection::expects_continue() const {
  return beast::iequals(parsing_->parser->get()[http::field::expect], "100-continue");
}

std::optional<std::uint64_t> HttpConnection::body_length() const {
  const auto& parser = *parsing_->parser;
  if (parser.chunked()) return std::nullopt;
  return parser.content_length().value_or(0);
}

bool HttpConnection::is_body_done() const {
  return parsing_->parser->is_done();
}

asio::awaitable<std::size_t> HttpConnection::read_body_some(std::span<char> room, error_code& error) {
  auto& parser = *parsing_->parser;
  auto& body = parser.get().body();
  body.data = room.data();
  body.size = room.size();
  error = {};
  while (!error && !parser.is_done() && body.size == room.size()) co_await parse_some(error);
  if (error == http::error::need_buffer) error = {};
  co_return room.size() - body.size;
}

asio::awaitable<std::string> HttpConnection::read_body(error_code& error) {
  parsing_->parser->body_limit(max_body);
  stream_.expires_after(body_time);
  std::string text;
  error = {};
  while (!error && !is_body_done()) {
    constexpr std::size_t step = 64 * 1024;
    const std::size_t before = text.size();
    text.resize(before + std::min<std::size_t>(step, body_length().value_or(step)));
    text.resize(before + co_await read_body_some(std::span(text).subspan(before), error));
  }
  co_return text;
}

asio::awaitable<void> HttpConnection::send(const Response& response, bool with_body, bool keep_alive) {
  if (!response.file.empty()) {
    co_await send_file(response, keep_alive);
    co_return;
  }
  const bool has_body = response.status != 204 && response.status != 304;
  const std::string header = header_of(
      response, has_body ? fmt::format("Content-Length: {}\r\n", response.body.size()) : "", keep_alive);
  std::string_view rest = has_body && with_body ? std::string_view(response.body) : std::string_view();
  const std::string_view first = rest.substr(0, max_read);
  rest.remove_prefix(first.size());
  error_code error;
  stream_.expires_after(idle_time);
  const Pieces pieces{asio::buffer(header), asio::buffer(first)};
  co_await stream_.write(pieces, error);
  expect_sent(error);
  while (!rest.empty()) {
    const std::string_view next = rest.substr(0, max_read);
    rest.remove_prefix(next.size());
    co_await send_text(next);
  }
}

asio::awaitable<void> HttpConnection::send_file(const Response& response, bool keep_alive) {
  const auto close_file = [](std::FILE* file) { static_cast<void>(std::fclose(file)); };
  const std::unique_ptr<std::FILE, decltype(close_file)> file(std::fopen(response.file.c_str(), "rbe"),
                                                              close_file);
  unlink(response.file.c_str());
  if (file == nullptr || std::fseek(file.get(), 0, SEEK_END) != 0)
    throw FileError("the file of a response cannot be read");
  const long size = std::ftell(file.get());
  std::rewind(file.get());
  co_await send_text(header_of(response, fmt::format("Content-Length: {}\r\n", size), keep_alive));
  std::string piece(max_read, '\0');
  for (long sent = 0; sent < size;) {
    const std::size_t got = std::fread(piece.data(), 1, piece.size(), file.get());
    if (got == 0) throw FileError("the file of a response cannot be read");
    co_await send_text({piece.data(), got});
    sent += static_cast<long>(got);
  }
}

asio::awaitable<void> HttpConnection::send_header(const Response& response, bool is_chunked) {
  co_await send_text(header_of(response, is_chunked ? "Transfer-Encoding: chunked\r\n" : "", false));
}

asio::awaitable<void> HttpConnection::send_text(std::string_view text) {
  error_code error;
  stream_.expires_after(idle_time);
  const Pieces pieces{asio::buffer(text)};
  co_await stream_.write(pieces, error);
  expect_sent(error);
}

std::optional<Problem> problem_of(error_code error) {
  if (error == http::error::end_of_stream || error == http::error::partial_message ||
      error == asio::error::connection_reset || error == asio::error::operation_aborted)
    return std::nullopt;
  if (error == http::error::header_limit || error == http::error::buffer_overflow)
    return Problem{431, "the header is too long"};
  if (error == http::error::body_limit) return Problem{413, "the body is too long"};
  if (error == beast::error::timeout) return Problem{408, "the request came too slowly"};
  return Problem{400, error.message()};
}

}  // namespace askfew::server
