#include "apps/server/client_stream.h"

#include <algorithm>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <openssl/err.h>
#include <string_view>
#include <utility>
#include <variant>

namespace askfew::server {
namespace {

namespace beast = boost::beast;
using namespace std::chrono_literals;
using Plain = beast::tcp_stream;
using Secure = beast::ssl_stream<beast::tcp_stream>;
using Either = std::variant<Plain, Secure>;

constexpr auto handshake_time = 10s;
constexpr auto close_time = 2s;
constexpr std::string_view wrong_scheme =
    "HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nConnection: close\r\n\r\n"
    R"({"type":"about:blank","title":"Bad Request","status":400,"detail":"this port speaks HTTPS: use https://"})";

Either stream_on(tcp::socket socket, asio::ssl::context* tls) {
  if (tls == nullptr) return Either(std::in_place_type<Plain>, std::move(socket));
  return Either(std::in_place_type<Secure>, Plain(std::move(socket)), *tls);
}

/// Leaves no empty piece at the front: of such pieces TLS would send nothing, for ever.
void drop_front(Pieces& pieces, std::size_t bytes) {
  for (asio::const_buffer& piece : pieces) {
    const std::size_t dropped = std::min(bytes, piece.size());
    piece += dropped;
    bytes -= dropped;
  }
  std::stable_partition(pieces.begin(), pieces.end(), [](const auto& piece) { return piece.size() > 0; });
}

}  // namespace

struct ClientStream::Streams {
  [[nodiscard]] Plain& plain() {
    return std::visit([](auto& stream) -> Plain& { return beast::get_lowest_layer(stream); }, either);
  }
  [[nodiscard]] Secure* secure() { return std::get_if<Secure>(&either); }

  Either either;
};

ClientStream::ClientStream(tcp::socket socket, asio::ssl::context* tls)
    : streams_(std::make_unique<Streams>(Streams{stream_on(std::move(socket), tls)})) {}
ClientStream::~ClientStream() = default;
ClientStream::ClientStream(ClientStream&&) noexcept = default;
ClientStream& ClientStream::operator=(ClientStream&&) noexcept = default;

void ClientStream::expires_after(std::chrono::steady_clock::duration time) {
  streams_->plain().expires_after(time);
}

void ClientStream::expires_never() {
  streams_->plain().expires_never();
}

void ClientStream::cancel() {
  streams_->plain().cancel();
}

std::string ClientStream::client_address() {
  error_code error;
  const auto endpoint = streams_->plain().socket().remote_endpoint(error);
  return error ? std::string() : endpoint.address().to_string();
}

asio::awaitable<bool> ClientStream::handshake() {
  if (streams_->secure() == nullptr) co_return true;
  error_code error;
  expires_after(handshake_time);
  co_await streams_->secure()->async_handshake(asio::ssl::stream_base::server, ignoring(error));
  if (!error) co_return true;
  if (ERR_GET_REASON(static_cast<unsigned long>(error.value())) == SSL_R_HTTP_REQUEST) {
    const asio::const_buffer text = asio::buffer(wrong_scheme);
    co_await streams_->plain().async_write_some(text, ignoring(error));
  }
  co_return false;
}

asio::awaitable<void> ClientStream::close() {
  error_code ignored;
  if (streams_->secure() != nullptr) {
    expires_after(close_time);
    co_await streams_->secure()->async_shutdown(ignoring(ignored));
  }
  streams_->plain().socket().shutdown(tcp::socket::shutdown_send, ignored);
}

asio::awaitable<std::size_t> ClientStream::read_some(asio::mutable_buffer place, error_code& error) {
  if (streams_->secure() != nullptr)
    co_return co_await streams_->secure()->async_read_some(place, ignoring(error));
  co_return co_await streams_->plain().async_read_some(place, ignoring(error));
}

asio::awaitable<std::size_t> ClientStream::write_some(const Pieces& pieces, error_code& error) {
  if (streams_->secure() != nullptr)
    co_return co_await streams_->secure()->async_write_some(pieces, ignoring(error));
  co_return co_await streams_->plain().async_write_some(pieces, ignoring(error));
}

asio::awaitable<void> ClientStream::write(Pieces pieces, error_code& error) {
  error = {};
  drop_front(pieces, 0);
  while (!error && asio::buffer_size(pieces) > 0) {
    drop_front(pieces, co_await write_some(pieces, error));
  }
}

}  // namespace askfew::server
