#include "apps/server/api_client.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/json/json_text.h"

#include "apps/server/tls.h"

namespace askfew::server {
namespace {

namespace http = boost::beast::http;
using boost::system::error_code;
using boost::system::system_error;
using tcp = boost::asio::ip::tcp;

struct Place {
  std::string scheme;
  std::string host;
  std::string port;
};

Place place_of(const std::string& url) {
  const std::size_t end = url.find("://");
  const std::string scheme = url.substr(0, end);
  std::string rest = end == std::string::npos ? std::string() : url.substr(end + 3);
  while (rest.ends_with('/')) rest.pop_back();
  if ((scheme != "http" && scheme != "https") || rest.empty()) {
    throw ConfigError(
        fmt::format("{} is not the address of a server, as http://127.0.0.1:8080", in_quotes(url)));
  }
  const std::size_t colon = rest.rfind(':');
  if (colon == std::string::npos || rest.ends_with(']'))
    return {.scheme = scheme, .host = rest, .port = scheme == "https" ? "443" : "80"};
  return {.scheme = scheme, .host = rest.substr(0, colon), .port = rest.substr(colon + 1)};
}

std::string without_brackets(const std::string& host) {
  return host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host;
}

/// The sentence of a problem document, or the status.
std::string detail_of(unsigned status, const std::string& body) {
  const auto problem = try_parse_json(body);
  if (problem.is_object() && problem.contains("detail") && problem["detail"].is_string())
    return problem["detail"].get<std::string>();
  return fmt::format("the server answered {}", status);
}

}  // namespace

struct ApiClient::Link {
  explicit Link(const std::string& url)
      : place(place_of(url)), tls(place.scheme == "https" ? client_tls() : nullptr) {}

  void connect() {
    if (secure != nullptr || plain.socket().is_open()) return;
    buffer.clear();
    const std::string host = without_brackets(place.host);
    plain.connect(tcp::resolver(io).resolve(host, place.port));
    plain.socket().set_option(tcp::no_delay(true));
    if (tls == nullptr) return;
    secure = std::make_unique<Secure>(std::move(plain), *tls);
    secure->set_verify_callback(boost::asio::ssl::host_name_verification(host));
    SSL_set_tlsext_host_name(secure->native_handle(), host.c_str());
    secure->handshake(boost::asio::ssl::stream_base::client);
  }
  void disconnect() {
    error_code ignored;
    secure.reset();
    plain.socket().close(ignored);
  }
  [[nodiscard]] std::string url() const {
    return fmt::format("{}://{}:{}", place.scheme, place.host, place.port);
  }

  // The stream that Beast reads and writes.
  template <class Buffers>
  std::size_t read_some(const Buffers& buffers, error_code& error) {
    return secure != nullptr ? secure->read_some(buffers, error) : plain.read_some(buffers, error);
  }
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers, error_code& error) {
    return secure != nullptr ? secure->write_some(buffers, error) : plain.write_some(buffers, error);
  }
  template <class Buffers>
  std::size_t read_some(const Buffers& buffers) {
    return secure != nullptr ? secure->read_some(buffers) : plain.read_some(buffers);
  }
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers) {
    return secure != nullptr ? secure->write_some(buffers) : plain.write_some(buffers);
  }

  using Secure = boost::beast::ssl_stream<boost::beast::tcp_stream>;
  Place place;
  std::unique_ptr<boost::asio::ssl::context> tls;  // null: plain HTTP
  boost::asio::io_context io;
  boost::beast::tcp_stream plain{io};
  std::unique_ptr<Secure> secure;  // null without TLS, and before the connection
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
  http::request<http::string_body> request = request_for(method, path, link_->place.host, token_);
  if (!body.empty()) request.set(http::field::content_type, "application/json");
  request.body() = body;
  request.prepare_payload();
  for (int attempt = 1;; ++attempt) {
    try {
      link_->connect();
      http::write(*link_, request);
      http::response_parser<http::string_body> parser;
      constexpr std::uint64_t most = std::uint64_t{1} << 30;
      parser.body_limit(most);
      http::read(*link_, link_->buffer, parser);
      if (!parser.get().keep_alive()) link_->disconnect();
      if (parser.get().result_int() >= 400)
        throw ConfigError(detail_of(parser.get().result_int(), parser.get().body()));
      return std::move(parser.get().body());
    } catch (const system_error& error) {
      link_->disconnect();
      if (attempt == 2) throw FileError(fmt::format("{}: {}", link_->url(), error.code().message()));
    }
  }
}

void ApiClient::watch(const std::string& path, const std::function<bool(std::string_view data)>& see) {
  const http::request<http::string_body> request = request_for("GET", path, link_->place.host, token_);
  try {
    link_->disconnect();
    link_->connect();
    http::write(*link_, request);
    http::response_parser<http::string_body> parser;
    parser.body_limit(boost::none);
    http::read_header(*link_, link_->buffer, parser);
    if (parser.get().result_int() >= 400) {
      http::read(*link_, link_->buffer, parser);
      throw ConfigError(detail_of(parser.get().result_int(), parser.get().body()));
    }
    std::size_t from = 0;
    while (!parser.is_done()) {
      error_code error;
      http::read_some(*link_, link_->buffer, parser, error);
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
    throw FileError(fmt::format("{}: {}", link_->url(), error.code().message()));
  }
}

}  // namespace askfew::server
