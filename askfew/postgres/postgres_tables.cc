#include "askfew/postgres/postgres_tables.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

namespace askfew::postgres_tables {
namespace {

constexpr std::size_t row_bytes = std::size_t{1} << 22;  // most bytes of a row

// Two processes may create the tables at the same time: the lock lets them take turns. Pieces are stored as
// they are: packing them would take longer than writing them.
constexpr const char* create_tables = R"(
BEGIN;
SELECT pg_advisory_xact_lock(8241983320177);
CREATE TABLE IF NOT EXISTS askfew_ledgers (
  ledger integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  bytes bigint NOT NULL DEFAULT 0,
  writers bigint NOT NULL DEFAULT 0,
  checkpoint bigint,
  checkpoint_link bigint,
  owner text
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS askfew_ledger_bytes (
  ledger integer NOT NULL,
  place bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (ledger, place)
);
ALTER TABLE askfew_ledger_bytes ALTER COLUMN bytes SET STORAGE EXTERNAL;
COMMIT
)";

// The lock's key is of the table and of the ledger's number: ledgers of other schemas have other locks.
constexpr const char* take_lock =
    "SELECT pg_try_advisory_lock(('askfew_ledgers'::regclass::oid::bigint - 2147483648)::integer, "
    "$1::integer)";
constexpr const char* give_lock =
    "SELECT pg_advisory_unlock(('askfew_ledgers'::regclass::oid::bigint - 2147483648)::integer, $1::integer)";

constexpr const char* add_bytes =
    "WITH own AS (UPDATE askfew_ledgers SET bytes = bytes + $4::bigint "
    "WHERE ledger = $1::integer AND bytes = $2::bigint AND writers = $3::bigint RETURNING ledger) "
    "INSERT INTO askfew_ledger_bytes SELECT ledger, $2::bigint, $5::bytea FROM own";

constexpr const char* read_bytes =
    "SELECT place::text, bytes FROM askfew_ledger_bytes WHERE ledger = $1::integer AND place < $3::bigint "
    "AND place >= coalesce((SELECT max(place) FROM askfew_ledger_bytes WHERE ledger = $1::integer "
    "AND place <= $2::bigint), $2::bigint) ORDER BY askfew_ledger_bytes.place";

bool append_row(PostgresConnection& connection, std::int64_t ledger, const State& state,
                std::string_view bytes) {
  return connection
             .run(add_bytes, {ledger, state.bytes, state.writers, static_cast<std::uint64_t>(bytes.size()),
                              PostgresValue::bytes(bytes)})
             .changed() == 1;
}

std::uint64_t place_of(std::string_view text) {
  return std::stoull(std::string(text));
}

}  // namespace

bool are_there(PostgresConnection& connection) {
  const auto found = connection.run(
      "SELECT to_regclass('askfew_ledgers') IS NOT NULL AND to_regclass('askfew_ledger_bytes') IS NOT NULL",
      {});
  if (!found.truth(0, 0)) return false;
  const auto columns = connection.run(
      "SELECT count(*) FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped AND "
      "(attrelid, attname, atttypid) IN ("
      "('askfew_ledgers'::regclass, 'ledger', 'integer'::regtype), "
      "('askfew_ledgers'::regclass, 'name', 'text'::regtype), "
      "('askfew_ledgers'::regclass, 'bytes', 'bigint'::regtype), "
      "('askfew_ledgers'::regclass, 'writers', 'bigint'::regtype), "
      "('askfew_ledgers'::regclass, 'checkpoint', 'bigint'::regtype), "
      "('askfew_ledgers'::regclass, 'checkpoint_link', 'bigint'::regtype), "
      "('askfew_ledgers'::regclass, 'owner', 'text'::regtype), "
      "('askfew_ledger_bytes'::regclass, 'ledger', 'integer'::regtype), "
      "('askfew_ledger_bytes'::regclass, 'place', 'bigint'::regtype), "
      "('askfew_ledger_bytes'::regclass, 'bytes', 'bytea'::regtype))",
      {});
  constexpr std::int64_t all = 10;
  if (columns.number(0, 0) == all) return true;
  throw FileError(connection.name() +
                  ": the database has a table askfew_ledgers or askfew_ledger_bytes with other columns than "
                  "those of askfew: "
                  "choose another database, or another schema");
}

void create(PostgresConnection& connection) {
  try {
    connection.run_all(create_tables);
  } catch (const PostgresError&) {
    if (connection.is_alive()) connection.run_all("ROLLBACK");
    throw;
  }
}

void expect_writable(PostgresConnection& connection) {
  const auto may = connection.run(
      "SELECT has_table_privilege('askfew_ledgers', 'UPDATE') AND has_table_privilege('askfew_ledger_bytes', "
      "'INSERT') AND NOT pg_is_in_recovery(), current_user",
      {});
  if (may.truth(0, 0)) return;
  throw FileError(
      fmt::format("{}: the database is read-only, or its user {} may not write the tables askfew_ledgers and "
                  "askfew_ledger_bytes: grant INSERT, SELECT and UPDATE on both",
                  connection.name(), may.bytes(0, 1)));
}

std::optional<std::int64_t> find(PostgresConnection& connection, const std::string& name) {
  const auto found = connection.run("SELECT ledger FROM askfew_ledgers WHERE name = $1", {name});
  if (found.size() == 0) return std::nullopt;
  return found.number(0, 0);
}

std::int64_t find_or_add(PostgresConnection& connection, const std::string& name) {
  if (const auto there = find(connection, name)) return *there;
  connection.run("INSERT INTO askfew_ledgers (name) VALUES ($1) ON CONFLICT (name) DO NOTHING", {name});
  const auto ledger = find(connection, name);
  if (!ledger) throw FileError(connection.name() + ": the ledger was deleted while it was made");
  return *ledger;
}

void remove(PostgresConnection& connection, const std::string& name) {
  connection.run(
      "WITH gone AS (DELETE FROM askfew_ledgers WHERE name = $1 RETURNING ledger) "
      "DELETE FROM askfew_ledger_bytes USING gone WHERE askfew_ledger_bytes.ledger = gone.ledger",
      {name});
}

std::string owner_of(PostgresConnection& connection, std::int64_t ledger) {
  const auto found = connection.run("SELECT owner FROM askfew_ledgers WHERE ledger = $1::integer", {ledger});
  return found.size() == 0 || found.is_null(0, 0) ? "" : std::string(found.bytes(0, 0));
}

void set_owner(PostgresConnection& connection, std::int64_t ledger, const std::string& owner) {
  connection.run("UPDATE askfew_ledgers SET owner = $2 WHERE ledger = $1::integer", {ledger, owner});
}

std::optional<State> state_of(PostgresConnection& connection, std::int64_t ledger) {
  const auto found =
      connection.run("SELECT bytes, writers FROM askfew_ledgers WHERE ledger = $1::integer", {ledger});
  if (found.size() == 0) return std::nullopt;
  return State{.bytes = static_cast<std::uint64_t>(found.number(0, 0)), .writers = found.number(0, 1)};
}

bool try_lock(PostgresConnection& connection, std::int64_t ledger) {
  return connection.run(take_lock, {ledger}).truth(0, 0);
}

void unlock(PostgresConnection& connection, std::int64_t ledger) {
  connection.run(give_lock, {ledger});
}

std::optional<State> add_writer(PostgresConnection& connection, std::int64_t ledger) {
  const auto found = connection.run(
      "UPDATE askfew_ledgers SET writers = writers + 1 WHERE ledger = $1::integer RETURNING bytes, writers",
      {ledger});
  if (found.size() == 0) return std::nullopt;
  return State{.bytes = static_cast<std::uint64_t>(found.number(0, 0)), .writers = found.number(0, 1)};
}

bool append(PostgresConnection& connection, std::int64_t ledger, const State& state, std::string_view bytes) {
  if (bytes.size() <= row_bytes) return append_row(connection, ledger, state, bytes);
  connection.run_all("BEGIN");
  try {
    State now = state;
    bool done = true;
    for (; done && !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), row_bytes))) {
      const std::string_view row = bytes.substr(0, row_bytes);
      done = append_row(connection, ledger, now, row);
      now.bytes += row.size();
    }
    connection.run_all(done ? "COMMIT" : "ROLLBACK");
    return done;
  } catch (const PostgresError&) {
    if (connection.is_alive()) connection.run_all("ROLLBACK");
    throw;
  }
}

std::string bytes_from(PostgresConnection& connection, std::int64_t ledger, std::uint64_t place,
                       std::uint64_t size) {
  const std::array<PostgresValue, 3> values{ledger, place, place + size};
  const auto rows = connection.run(read_bytes, values, PostgresConnection::Results::as_bytes);
  std::string bytes;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::uint64_t begin = place_of(rows.bytes(row, 0));
    std::string_view piece = rows.bytes(row, 1);
    const std::uint64_t wanted = place + bytes.size();
    if (begin > wanted) break;  // some are missing
    piece.remove_prefix(std::min<std::uint64_t>(piece.size(), wanted - begin));
    bytes += piece;
  }
  return bytes;
}

}  // namespace askfew::postgres_tables
