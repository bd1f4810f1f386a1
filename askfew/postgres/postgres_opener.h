#pragma once

#include <memory>
#include <string>

#include "askfew/ledger/ledger_place.h"
#include "askfew/postgres/postgres_session.h"

// Threads: any thread may call the members.

namespace askfew {

/// Opens a ledger in a database. Writers share the session; a reader has a connection of its own, so that it
/// keeps no writer waiting.
class PostgresOpener : public LedgerOpener {
 public:
  /// `shown`: the name of the ledger in messages; `ledger`: its name in the database.
  PostgresOpener(std::string shown, std::string ledger, std::shared_ptr<PostgresSession> session);

  [[nodiscard]] std::unique_ptr<LedgerStore> for_reading() const override;
  [[nodiscard]] std::unique_ptr<LedgerStore> find_for_writing() const override;
  [[nodiscard]] std::unique_ptr<LedgerStore> for_writing() const override;
  void remove() const override;

 private:
  [[nodiscard]] std::unique_ptr<LedgerStore> open_to_write(std::int64_t ledger) const;

  std::string shown_;
  std::string ledger_;
  std::shared_ptr<PostgresSession> session_;
};

}  // namespace askfew
