#include "apps/server/api_client.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"

namespace askfew::server {
namespace {

namespace http = boost::beast::http;
using boost::system::error_code;
using boost::system::system_error;
using tcp = boost::asio::ip::tcp;

struct Place {
  std::string host;
  std::string port = "80";
};

Place place_of(const std::string& url) {
  constexpr std::string_view scheme = "http://";
  std::string rest = url;
  while (rest.ends_with('/')) rest.pop_back();
  if (!rest.starts_with(scheme) || rest.size() == scheme.size()) {
    throw ConfigError(
        fmt::format("{} is not the address of a server, as http://127.0.0.1:8080", in_quotes(url)));
  }
  rest.erase(0, scheme.size());
  const std::size_t colon = rest.rfind(':');
  if (colon == std::string::npos || rest.ends_with(']')) return {.host = rest};
  return {.host = rest.substr(0, colon), .port = rest.substr(colon + 1)};
}

std::string without_brackets(const std::string& host) {
  return host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host;
}

/// The sentence of a problem document, or the status.
std::string detail_of(unsigned status, const std::string& body) {
  const auto problem = nlohmann::json::parse(body, nullptr, false);
  if (problem.is_object() && problem.contains("detail") && problem["detail"].is_string())
    return problem["detail"].get<std::string>();
  return fmt::format("the server answered {}", status);
}

}  // namespace

struct ApiClient::Link {
  explicit Link(const std::string& url) {
    const Place place = place_of(url);
    host = place.host;
    port = place.port;
  }

  void connect() {
    if (stream.socket().is_open()) return;
    buffer.clear();
    stream.connect(tcp::resolver(io).resolve(without_brackets(host), port));
    stream.socket().set_option(tcp::no_delay(true));
  }
  void disconnect() {
    error_code ignored;
    stream.socket().close(ignored);
  }

  std::string host;
  std::string port;
  boost::asio::io_context io;
  boost::beast::tcp_stream stream{io};
  boost::beast::flat_buffer buffer;
};

ApiClient::ApiClient(const std::string& url, std::string token)
    : link_(std::make_unique<Link>(url)), token_(std::move(token)) {}

ApiClient::~ApiClient() = default;

namespace {

http::request<http::string_body> request_for(std::string_view method, const std::string& path,
                                             const std::string& host, const std::string& token) {
  http::request<http::string_body> request;
  request.method_string({method.data(), method.size()});
  request.target(path);
  request.version(11);
  request.set(http::field::host, host);
  request.set(http::field::authorization, "Bearer " + token);
  return request;
}

}  // namespace

std::string ApiClient::send(std::string_view method, const std::string& path, const std::string& body) {
  http::request<http::string_body> request = request_for(method, path, link_->host, token_);
  if (!body.empty()) request.set(http::field::content_type, "application/json");
  request.body() = body;
  request.prepare_payload();
  for (int attempt = 1;; ++attempt) {
    try {
      link_->connect();
      http::write(link_->stream, request);
      http::response_parser<http::string_body> parser;
      constexpr std::uint64_t most = std::uint64_t{1} << 30;
      parser.body_limit(most);
      http::read(link_->stream, link_->buffer, parser);
      if (!parser.get().keep_alive()) link_->disconnect();
      if (parser.get().result_int() >= 400)
        throw ConfigError(detail_of(parser.get().result_int(), parser.get().body()));
      return std::move(parser.get().body());
    } catch (const system_error& error) {
      link_->disconnect();
      if (attempt == 2)
        throw FileError(fmt::format("http://{}:{}: {}", link_->host, link_->port, error.code().message()));
    }
  }
}

void ApiClient::watch(const std::string& path, const std::function<bool(std::string_view data)>& see) {
  const http::request<http::string_body> request = request_for("GET", path, link_->host, token_);
  try {
    link_->disconnect();
    link_->connect();
    http::write(link_->stream, request);
    http::response_parser<http::string_body> parser;
    parser.body_limit(boost::none);
    http::read_header(link_->stream, link_->buffer, parser);
    if (parser.get().result_int() >= 400) {
      http::read(link_->stream, link_->buffer, parser);
      throw ConfigError(detail_of(parser.get().result_int(), parser.get().body()));
    }
    std::size_t from = 0;
    while (!parser.is_done()) {
      error_code error;
      http::read_some(link_->stream, link_->buffer, parser, error);
      std::string& text = parser.get().body();
      for (std::size_t end = text.find('\n', from); end != std::string::npos; end = text.find('\n', from)) {
        constexpr std::string_view data = "data: ";
        const std::string line = text.substr(from, end - from);
        from = end + 1;
        if (line.starts_with(data) && !see(std::string_view(line).substr(data.size())))
          return link_->disconnect();
      }
      text.erase(0, from);
      from = 0;
      if (error == http::error::end_of_stream || error == boost::asio::error::eof) break;
      if (error) throw system_error(error);
    }
  } catch (const system_error& error) {
    link_->disconnect();
    throw FileError(fmt::format("http://{}:{}: {}", link_->host, link_->port, error.code().message()));
  }
}

}  // namespace askfew::server
