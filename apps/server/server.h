#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "askfew/ledger/ledger_collection.h"
#include "askfew/system/usual_memory.h"

namespace askfew::server {

struct ServerOptions {
  std::string folder{};
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;  ///< 0: the system chooses one
  unsigned threads = 2;       ///< that learn; one more thread reads and writes
  bool sync = true;           ///< acknowledge only what the disk holds
  double rate = 1000;         ///< requests a second of one token; 0: any number
  std::uint64_t max_open = 1000;
  std::uint64_t open_memory = std::uint64_t{768} << 20;  ///< see ProjectsOptions
  std::uint64_t max_memory = usual_memory();
  std::int64_t lease = 600;     ///< seconds that a person has a question
  std::int64_t patience = 600;  ///< seconds after which held answers are learned
  std::uint64_t max_connections = 1000;
  bool secure_cookies = false;                     ///< a proxy in front of the server speaks HTTPS
  bool behind_proxy = false;                       ///< believe X-Forwarded-For and X-Forwarded-Proto
  std::string tls_certificate{};                   ///< a file; empty: plain HTTP
  std::string tls_key{};                           ///< a file
  std::shared_ptr<LedgerCollection> ledgers{};     ///< in a database; null: files in the folder
  std::function<void(const std::string&)> warn{};  ///< gets lines about the database
  std::function<void(const std::string&)> say{};   ///< gets the lines for the person who starts the server
  std::function<void(const std::string&)> log{};   ///< gets a line of JSON per request; empty: no log
};

/// Serves until SIGINT or SIGTERM; then finishes the requests that have come, and writes everything. If
/// another server has the ledgers, waits until they are free. THROWS: ConfigError; FileError, also when
/// another server has taken the ledgers; DataError.
void run_server(const ServerOptions& options);

}  // namespace askfew::server
