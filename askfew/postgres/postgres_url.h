#pragma once

#include <string>
#include <string_view>

namespace askfew {

/// postgresql://USER:PASSWORD@HOST:PORT/DATABASE?ledger=NAME, with any other parameters of libpq. Parts may
/// be left out, and then are libpq's defaults: its variables (PGHOST, ...), its password file.
struct PostgresUrl {
  std::string connection;       ///< what libpq reads; it may have a password
  std::string shown;            ///< for messages, without a password
  std::string secret;           ///< what no message may contain; empty: nothing
  std::string ledger = "main";  ///< the name of the ledger in the database

  /// A message of libpq as one line without the secret.
  [[nodiscard]] std::string without_secret(std::string_view message) const;
};

[[nodiscard]] bool is_postgres_url(std::string_view text);
/// THROWS: ConfigError, which does not contain the password.
PostgresUrl parse_postgres_url(std::string_view text);

}  // namespace askfew
