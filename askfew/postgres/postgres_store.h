#pragma once

// The bytes of a ledger in a PostgreSQL database.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "askfew/ledger/ledger_store.h"
#include "askfew/postgres/postgres_session.h"
#include "askfew/postgres/postgres_tables.h"

// Threads: a store is for one thread at a time; several stores may share a session.

namespace askfew {

/// A ledger in a database, for reading.
class PostgresStore : public LedgerStore {
 public:
  PostgresStore(std::string name, std::shared_ptr<PostgresSession> session, std::int64_t ledger,
                std::uint64_t bytes);

  std::size_t read(std::uint64_t place, char* out, std::size_t size) const override;
  void show_from(std::uint64_t place, const SeeBytes& see) const override;
  [[nodiscard]] Status status() const override;
  [[nodiscard]] std::string write(std::uint64_t place, std::string_view bytes) override;
  [[nodiscard]] std::string cut(std::uint64_t place) override;
  [[nodiscard]] std::string commit(bool sync) override;

 protected:
  [[nodiscard]] PostgresSession& session() const { return *session_; }
  [[nodiscard]] std::int64_t ledger() const { return ledger_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  void set_bytes(std::uint64_t bytes) { bytes_ = bytes; }

 private:
  std::shared_ptr<PostgresSession> session_;
  std::int64_t ledger_;
  std::uint64_t bytes_;         // that are certainly there
  mutable std::string window_;  // some of them
  mutable std::uint64_t window_place_ = 0;
};

/// A ledger in a database, for writing. What is written waits in memory for `commit`, which adds all of it in
/// one transaction.
class PostgresWriter : public PostgresStore {
 public:
  /// REQUIRES: connection number `connection` of the session has the ledger's lock, and `state` is that of
  /// this writer.
  PostgresWriter(std::string name, std::shared_ptr<PostgresSession> session, std::int64_t ledger,
                 const postgres_tables::State& state, std::uint64_t connection);
  ~PostgresWriter() override;
  PostgresWriter(const PostgresWriter&) = delete;
  PostgresWriter& operator=(const PostgresWriter&) = delete;
  PostgresWriter(PostgresWriter&&) = delete;
  PostgresWriter& operator=(PostgresWriter&&) = delete;

  [[nodiscard]] Status status() const override;
  [[nodiscard]] std::string write(std::uint64_t place, std::string_view bytes) override;
  [[nodiscard]] std::string cut(std::uint64_t place) override;
  [[nodiscard]] std::string commit(bool sync) override;

 private:
  /// Is the lock still this writer's? A new connection takes it again, unless another writer has had it.
  /// THROWS: FileError.
  void expect_lock(PostgresConnection& connection, std::uint64_t number);
  void take_lock_again(PostgresConnection& connection);
  /// One transaction. THROWS: FileError.
  void append_pending(bool sync);
  [[noreturn]] void lose(const std::string& why);

  std::int64_t writer_;
  std::uint64_t connection_;  // the connection that has the lock
  std::string pending_;       // written and not committed
  bool has_failed_ = false;   // the last commit has
  std::string lost_;          // why this writer can never go on; empty: it can
};

}  // namespace askfew
