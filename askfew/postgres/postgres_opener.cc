#include "askfew/postgres/postgres_opener.h"

#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "askfew/postgres/postgres_store.h"
#include "askfew/postgres/postgres_tables.h"

namespace askfew {
namespace {

using namespace std::chrono_literals;

// The lock of a process that has just died is free after a moment.
constexpr auto patience = 5s;
constexpr auto pause = 50ms;

/// The number of a ledger; nothing if there is none.
std::optional<std::int64_t> find_in(PostgresConnection& connection, const std::string& ledger) {
  if (!postgres_tables::are_there(connection)) return std::nullopt;
  return postgres_tables::find(connection, ledger);
}

}  // namespace

PostgresOpener::PostgresOpener(std::string shown, std::string ledger,
                               std::shared_ptr<PostgresSession> session)
    : shown_(std::move(shown)), ledger_(std::move(ledger)), session_(std::move(session)) {}

std::unique_ptr<LedgerStore> PostgresOpener::for_reading() const {
  const auto session = std::make_shared<PostgresSession>(session_->url());
  return session->with([&](PostgresConnection& connection, std::uint64_t /*number*/) {
    const auto ledger = find_in(connection, ledger_);
    const auto state = ledger ? postgres_tables::state_of(connection, *ledger) : std::nullopt;
    if (!state) throw FileError(shown_ + ": there is no such ledger");
    return std::make_unique<PostgresStore>(shown_, session, *ledger, state->bytes);
  });
}

std::unique_ptr<LedgerStore> PostgresOpener::find_for_writing() const {
  const auto ledger = session_->with(
      [&](PostgresConnection& connection, std::uint64_t /*number*/) { return find_in(connection, ledger_); });
  return ledger ? open_to_write(*ledger) : nullptr;
}

std::unique_ptr<LedgerStore> PostgresOpener::for_writing() const {
  const auto ledger = session_->with([&](PostgresConnection& connection, std::uint64_t /*number*/) {
    if (!postgres_tables::are_there(connection)) postgres_tables::create(connection);
    return postgres_tables::find_or_add(connection, ledger_);
  });
  return open_to_write(ledger);
}

void PostgresOpener::remove() const {
  session_->with([&](PostgresConnection& connection, std::uint64_t /*number*/) {
    if (postgres_tables::are_there(connection)) postgres_tables::remove(connection, ledger_);
  });
}

std::unique_ptr<LedgerStore> PostgresOpener::open_to_write(std::int64_t ledger) const {
  if (!session_->begin_to_write(ledger))
    throw FileError(shown_ + ": this process writes this ledger already");
  const auto until = std::chrono::steady_clock::now() + patience;
  try {
    while (true) {
      auto writer = session_->with([&](PostgresConnection& connection, std::uint64_t number) {
        postgres_tables::expect_writable(connection);
        if (!postgres_tables::try_lock(connection, ledger)) return std::unique_ptr<PostgresWriter>();
        const auto state = postgres_tables::add_writer(connection, ledger);
        if (!state) throw FileError(shown_ + ": the ledger was deleted");
        return std::make_unique<PostgresWriter>(shown_, session_, ledger, *state, number);
      });
      if (writer != nullptr) return writer;
      if (std::chrono::steady_clock::now() > until)
        throw FileError(shown_ + ": another process writes this ledger");
      std::this_thread::sleep_for(pause);
    }
  } catch (...) {
    session_->end_to_write(ledger);
    throw;
  }
}

}  // namespace askfew
