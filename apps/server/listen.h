#pragma once

#include <fmt/core.h>
#include <string>

#include "askfew/core/errors.h"

#include "apps/server/client_stream.h"
#include "apps/server/server.h"

namespace askfew::server {

/// A socket that listens, on its way from one loop to another.
struct Listening {
  tcp protocol;
  tcp::acceptor::native_handle_type handle;
};

/// THROWS: ConfigError, FileError.
inline void listen_on(tcp::acceptor& acceptor, const ServerOptions& options) {
  error_code error;
  const auto address = asio::ip::make_address(options.address, error);
  if (error)
    throw ConfigError(
        fmt::format("{} is not an IP address such as 127.0.0.1 (this machine) or 0.0.0.0 (all its networks)",
                    options.address));
  const tcp::endpoint endpoint(address, options.port);
  acceptor.open(endpoint.protocol());
  acceptor.set_option(asio::socket_base::reuse_address(true));
  acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    throw FileError(
        fmt::format("cannot listen on {} port {}: {}", options.address, options.port, error.message()));
  }
}

/// The address that a browser needs.
inline std::string address_of(const tcp::acceptor& acceptor, bool is_secure) {
  const auto endpoint = acceptor.local_endpoint();
  const std::string host = endpoint.address().to_string();
  return fmt::format("{}://{}:{}", is_secure ? "https" : "http",
                     endpoint.address().is_v6() ? "[" + host + "]" : host, endpoint.port());
}

}  // namespace askfew::server
