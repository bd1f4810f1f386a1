#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "askfew/postgres/postgres_connection.h"

// Threads: each function is for one thread at a time with one connection.

/// The tables of ledgers in a database, and the statements that use them.
///
///   askfew_ledgers       a row for each ledger: its name, its bytes, how often it was opened for writing
///   askfew_ledger_bytes  the bytes of the ledgers in pieces: of what ledger, from what place on
///
/// A writer holds an advisory lock on its ledger as long as its connection lives, and adds bytes only while
/// the ledger still has the number of writers that it had when this writer opened it. So a writer whose lock
/// went to another one can never add anything.
namespace askfew::postgres_tables {

/// Are the tables there? THROWS: PostgresError, also for foreign tables that have their names.
bool are_there(PostgresConnection& connection);
void create(PostgresConnection& connection);
/// THROWS: FileError if the user of the connection may not write ledgers.
void expect_writable(PostgresConnection& connection);

/// The number of a ledger; nothing if there is none.
std::optional<std::int64_t> find(PostgresConnection& connection, const std::string& name);
/// The same, but makes a ledger if there is none.
std::int64_t find_or_add(PostgresConnection& connection, const std::string& name);
void remove(PostgresConnection& connection, const std::string& name);
/// A text that is kept with a ledger; empty if it was never set.
std::string owner_of(PostgresConnection& connection, std::int64_t ledger);
void set_owner(PostgresConnection& connection, std::int64_t ledger, const std::string& owner);

struct State {
  std::uint64_t bytes = 0;
  std::int64_t writers = 0;

  bool operator==(const State&) const = default;
};
std::optional<State> state_of(PostgresConnection& connection, std::int64_t ledger);

/// Takes the lock of a ledger for this connection; false: another connection has it.
bool try_lock(PostgresConnection& connection, std::int64_t ledger);
void unlock(PostgresConnection& connection, std::int64_t ledger);
/// A new writer. REQUIRES: the connection has the lock.
std::optional<State> add_writer(PostgresConnection& connection, std::int64_t ledger);
/// Adds bytes, all or none of them; false: the ledger is in another state. After an exception from a broken
/// connection they may be there.
bool append(PostgresConnection& connection, std::int64_t ledger, const State& state, std::string_view bytes);
/// Some bytes from this place on; empty: there are none.
std::string bytes_from(PostgresConnection& connection, std::int64_t ledger, std::uint64_t place,
                       std::uint64_t size);

}  // namespace askfew::postgres_tables
