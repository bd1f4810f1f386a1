#include "askfew/postgres/postgres_connection.h"

#include <array>
#include <charconv>
#include <vector>

#include "askfew/postgres/libpq.h"

namespace askfew {
namespace {

/// The server drops the session of a client that has gone without a word, so that its locks are free.
constexpr const char* settings =
    "SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 2; "
    "SET tcp_user_timeout = 4000; SET statement_timeout = 0; "
    "SET synchronous_commit = on";

void ignore(void* /*nobody*/, const char* /*notice*/) {}

PGconn* connect(const PostgresUrl& url) {
  // What comes before dbname are defaults that the address may change.
  constexpr std::array<const char*, 9> names{"connect_timeout",  "keepalives_idle",  "keepalives_interval",
                                             "keepalives_count", "tcp_user_timeout", "application_name",
                                             "dbname",           "client_encoding",  nullptr};
  const std::array<const char*, 9> values{"3",    "2",    "1", "2", "4000", "askfew", url.connection.c_str(),
                                          "UTF8", nullptr};
  constexpr int dbname_is_address = 1;
  return libpq().PQconnectdbParams(names.data(), values.data(), dbname_is_address);
}

std::int64_t number_of(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::size_t PostgresRows::size() const {
  return static_cast<std::size_t>(libpq().PQntuples(result_.get()));
}

bool PostgresRows::is_null(std::size_t row, int column) const {
  return libpq().PQgetisnull(result_.get(), static_cast<int>(row), column) != 0;
}

std::string_view PostgresRows::bytes(std::size_t row, int column) const {
  return {libpq().PQgetvalue(result_.get(), static_cast<int>(row), column),
          static_cast<std::size_t>(libpq().PQgetlength(result_.get(), static_cast<int>(row), column))};
}

std::int64_t PostgresRows::number(std::size_t row, int column) const {
  return number_of(bytes(row, column));
}

std::int64_t PostgresRows::changed() const {
  return number_of(libpq().PQcmdTuples(result_.get()));
}

void PostgresRows::clear(pg_result* result) {
  libpq().PQclear(result);
}

PostgresConnection::PostgresConnection(const PostgresUrl& url)
    : url_(url), connection_(connect(url), libpq().PQfinish) {
  if (!is_alive()) {
    throw PostgresError(url_.shown + ": " + url_.without_secret(libpq().PQerrorMessage(connection_.get())),
                        "");
  }
  libpq().PQsetNoticeProcessor(connection_.get(), ignore, nullptr);
  run_all(settings);
}

bool PostgresConnection::is_alive() const {
  return libpq().PQstatus(connection_.get()) == CONNECTION_OK;
}

void PostgresConnection::fail(const pg_result* result) const {
  const char* state = libpq().PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* what = libpq().PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  const char* message = what != nullptr ? what : libpq().PQerrorMessage(connection_.get());
  throw PostgresError(url_.shown + ": " + url_.without_secret(message), state == nullptr ? "" : state);
}

PostgresRows PostgresConnection::run(const char* statement, std::span<const PostgresValue> values,
                                     Results results) {
  std::vector<const char*> data;
  std::vector<int> sizes;
  std::vector<int> formats;
  for (const PostgresValue& value : values) {
    data.push_back(value.data());
    sizes.push_back(value.size());
    formats.push_back(value.format());
  }
  pg_result* result =
      libpq().PQexecParams(connection_.get(), statement, static_cast<int>(values.size()), nullptr,
                           data.data(), sizes.data(), formats.data(), results == Results::as_bytes ? 1 : 0);
  PostgresRows rows(result);
  const ExecStatusType status = libpq().PQresultStatus(result);
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) fail(result);
  return rows;
}

void PostgresConnection::run_all(const char* statements) {
  pg_result* result = libpq().PQexec(connection_.get(), statements);
  const PostgresRows rows(result);
  const ExecStatusType status = libpq().PQresultStatus(result);
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) fail(result);
}

void PostgresConnection::wait_for_standbys(bool does_wait) {
  if (does_wait == waits_for_standbys_) return;
  run_all(does_wait ? "SET synchronous_commit = on" : "SET synchronous_commit = local");
  waits_for_standbys_ = does_wait;
}

}  // namespace askfew
