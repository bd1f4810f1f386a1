#include "apps/server/tls.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fmt/core.h>
#include <fstream>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "askfew/core/errors.h"

namespace askfew::server {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

/// OpenSSL's own message for a file that is not there is hard to understand.
void expect_readable(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw FileError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  if (file.peek() == std::ifstream::traits_type::eof())
    throw FileError(path + ": cannot be read, or is empty");
}

std::unique_ptr<ssl::context> recent_tls(ssl::context::method method) {
  auto context = std::make_unique<ssl::context>(method);
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
  context->set_options(ssl::context::no_compression | ssl::context::single_dh_use);
  return context;
}

/// As 2026-01-31.
std::string day_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return "an unknown day";
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

void expect_valid_now(const std::string& path, const SSL_CTX* context) {
  const X509* certificate = SSL_CTX_get0_certificate(context);
  const ASN1_TIME* begin = X509_get0_notBefore(certificate);
  const ASN1_TIME* end = X509_get0_notAfter(certificate);
  if (X509_cmp_current_time(end) < 0)
    throw ConfigError(fmt::format("{}: the certificate ended on {}: renew it", path, day_of(end)));
  if (X509_cmp_current_time(begin) > 0)
    throw ConfigError(fmt::format("{}: the certificate begins on {}: check the clock of this machine", path,
                                  day_of(begin)));
}

}  // namespace

std::unique_ptr<ssl::context> server_tls(const std::string& certificate, const std::string& key) {
  expect_readable(certificate);
  expect_readable(key);
  auto context = recent_tls(ssl::context::tls_server);
  bool has_passphrase = false;
  context->set_password_callback([&](std::size_t, ssl::context::password_purpose) {
    has_passphrase = true;
    return std::string();
  });
  error_code error;
  context->use_certificate_chain_file(certificate, error);
  if (error)
    throw ConfigError(fmt::format(
        "{}: not a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----", certificate));
  expect_valid_now(certificate, context->native_handle());
  context->use_private_key_file(key, ssl::context::pem, error);
  if (error && has_passphrase) throw ConfigError(key + ": the key has a passphrase: store it without one");
  if (error && ERR_GET_REASON(static_cast<unsigned long>(error.value())) == X509_R_KEY_VALUES_MISMATCH)
    throw ConfigError(
        fmt::format("the key in {} does not belong to the certificate in {}", key, certificate));
  if (error)
    throw ConfigError(
        fmt::format("{}: not a private key in PEM that fits the certificate in {}", key, certificate));
  return context;
}

std::unique_ptr<ssl::context> client_tls() {
  auto context = recent_tls(ssl::context::tls_client);
  context->set_verify_mode(ssl::verify_peer);
  context->set_default_verify_paths();
  return context;
}

}  // namespace askfew::server
