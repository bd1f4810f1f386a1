#include "askfew/postgres/postgres_session.h"

namespace askfew {

void PostgresSession::connect() {
  using namespace std::chrono_literals;
  if (connection_ && connection_->is_alive()) return;
  connection_.reset();
  const auto now = std::chrono::steady_clock::now();
  constexpr auto pause = 200ms;
  if (failure_ && now - tried_ < pause) throw PostgresError(*failure_);
  try {
    connection_.emplace(url_);
    failure_.reset();
    ++number_;
  } catch (const PostgresError& error) {
    failure_ = error;
    tried_ = std::chrono::steady_clock::now();
    throw;
  }
}

bool PostgresSession::begin_to_write(std::int64_t ledger) {
  const std::lock_guard lock(writing_mutex_);
  return writing_.insert(ledger).second;
}

void PostgresSession::end_to_write(std::int64_t ledger) {
  const std::lock_guard lock(writing_mutex_);
  writing_.erase(ledger);
}

}  // namespace askfew
