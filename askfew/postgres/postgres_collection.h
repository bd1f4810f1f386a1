#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "askfew/ledger/ledger_collection.h"
#include "askfew/postgres/postgres_session.h"

// Threads: any thread may call the members.

namespace askfew {

/// Ledgers in a database whose names begin with the name in the address and a slash. A row without bytes,
/// which has only that name, holds the lock of the process that writes them. All of them share one
/// connection.
class PostgresCollection : public LedgerCollection {
 public:
  explicit PostgresCollection(PostgresUrl url);

  [[nodiscard]] const std::string& name() const override { return session_->url().shown; }
  [[nodiscard]] bool try_take() override;
  [[nodiscard]] Hold hold() override;
  [[nodiscard]] std::string owner() override;
  void set_owner(const std::string& owner) override;
  [[nodiscard]] LedgerPlace place_of(const std::string& id) const override;

 private:
  std::shared_ptr<PostgresSession> session_;
  std::string prefix_;
  std::mutex mutex_;              // guards what follows
  std::int64_t row_ = 0;          // the number of the row with the lock
  std::int64_t writer_ = 0;       // this process, among those that have had the lock
  std::uint64_t connection_ = 0;  // the connection that has the lock
};

}  // namespace askfew
