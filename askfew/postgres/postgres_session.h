#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "askfew/postgres/postgres_connection.h"

// Threads: any thread may call the members.

namespace askfew {

/// One connection that many ledgers share, and that is made again after it was lost. Locks belong to a
/// connection: each has a number, so that a ledger notices that its lock is gone.
class PostgresSession {
 public:
  explicit PostgresSession(PostgresUrl url) : url_(std::move(url)) {}

  [[nodiscard]] const PostgresUrl& url() const { return url_; }

  /// Returns act(connection, number of the connection); one thread at a time. Connects first if there is no
  /// connection; a moment after it could not connect it does not try again. THROWS: PostgresError.
  template <class Act>
  auto with(const Act& act) {
    const std::lock_guard lock(mutex_);
    connect();
    return act(*connection_, number_);
  }

  /// The same, but does nothing if there is no connection.
  template <class Act>
  void with_open(const Act& act) {
    const std::lock_guard lock(mutex_);
    if (connection_ && connection_->is_alive()) act(*connection_, number_);
  }

  /// A process writes a ledger once: false if it does already.
  bool begin_to_write(std::int64_t ledger);
  void end_to_write(std::int64_t ledger);

 private:
  void connect();

  const PostgresUrl url_;
  std::mutex mutex_;
  std::optional<PostgresConnection> connection_;
  std::uint64_t number_ = 0;
  std::chrono::steady_clock::time_point tried_;
  std::optional<PostgresError> failure_;  // of the last try to connect
  std::mutex writing_mutex_;
  std::set<std::int64_t> writing_;
};

}  // namespace askfew
