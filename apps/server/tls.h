#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>

namespace askfew::server {

/// TLS 1.2 or later for a server with this certificate (a chain in PEM, the server's first) and its key.
/// THROWS: FileError if a file cannot be read; ConfigError if it is no certificate or key, if they do not
/// belong together, or if the certificate is not valid now.
std::unique_ptr<boost::asio::ssl::context> server_tls(const std::string& certificate, const std::string& key);

/// TLS 1.2 or later for a client that trusts the authorities of the system, or of the file that the
/// environment variable SSL_CERT_FILE names.
std::unique_ptr<boost::asio::ssl::context> client_tls();

}  // namespace askfew::server
