#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "apps/server/tls.h"

namespace askfew::server {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// Writes the error of an operation there, instead of throwing it.
inline auto ignoring(error_code& error) {
  return asio::redirect_error(asio::use_awaitable, error);
}

/// Bytes that are sent one after another. A piece may be empty.
using Pieces = std::array<asio::const_buffer, 3>;

/// The bytes to and from a client, by TCP or by TLS. The types of Beast and OpenSSL stay in the source: each
/// operation of Beast on each of the two streams takes seconds to compile.
class ClientStream {
 public:
  /// `tls`: null for plain TCP.
  ClientStream(tcp::socket socket, asio::ssl::context* tls);
  ~ClientStream();
  ClientStream(ClientStream&&) noexcept;
  ClientStream& operator=(ClientStream&&) noexcept;
  ClientStream(const ClientStream&) = delete;
  ClientStream& operator=(const ClientStream&) = delete;

  /// Reading and writing fail after this time.
  void expires_after(std::chrono::steady_clock::duration time);
  void expires_never();
  /// Reading and writing fail now.
  void cancel();
  /// Empty if the client has gone.
  [[nodiscard]] std::string client_address();

  /// False: the client speaks no TLS that this server accepts.
  asio::awaitable<bool> handshake();
  /// Tells the client that nothing more comes.
  asio::awaitable<void> close();

  /// Returns the number of bytes that have come, at least one unless there is an error.
  asio::awaitable<std::size_t> read_some(asio::mutable_buffer place, error_code& error);
  /// Sends everything.
  asio::awaitable<void> write(Pieces pieces, error_code& error);

 private:
  struct Streams;
  asio::awaitable<std::size_t> write_some(const Pieces& pieces, error_code& error);

  std::unique_ptr<Streams> streams_;
};

}  // namespace askfew::server
