#include "askfew/postgres/postgres_collection.h"

#include <utility>

#include "askfew/postgres/postgres_opener.h"
#include "askfew/postgres/postgres_tables.h"

namespace askfew {

PostgresCollection::PostgresCollection(PostgresUrl url)
    : session_(std::make_shared<PostgresSession>(std::move(url))), prefix_(session_->url().ledger + "/") {}

bool PostgresCollection::try_take() {
  const std::lock_guard lock(mutex_);
  return session_->with([&](PostgresConnection& connection, std::uint64_t number) {
    if (!postgres_tables::are_there(connection)) postgres_tables::create(connection);
    postgres_tables::expect_writable(connection);
    row_ = postgres_tables::find_or_add(connection, prefix_);
    if (!postgres_tables::try_lock(connection, row_)) return false;
    const auto state = postgres_tables::add_writer(connection, row_);
    if (!state) throw FileError(name() + ": the ledgers were deleted");
    writer_ = state->writers;
    connection_ = number;
    return true;
  });
}

LedgerCollection::Hold PostgresCollection::hold() {
  const std::lock_guard lock(mutex_);
  try {
    return session_->with([&](PostgresConnection& connection, std::uint64_t number) {
      const bool has_lock = number == connection_ || postgres_tables::try_lock(connection, row_);
      if (has_lock) connection_ = number;
      const auto state = postgres_tables::state_of(connection, row_);
      if (!state || state->writers != writer_) return Hold::lost;
      return has_lock ? Hold::ours : Hold::unknown;
    });
  } catch (const FileError&) {
    return Hold::unknown;
  }
}

std::string PostgresCollection::owner() {
  const std::lock_guard lock(mutex_);
  return session_->with([&](PostgresConnection& connection, std::uint64_t /*number*/) {
    return postgres_tables::owner_of(connection, row_);
  });
}

void PostgresCollection::set_owner(const std::string& owner) {
  const std::lock_guard lock(mutex_);
  session_->with([&](PostgresConnection& connection, std::uint64_t /*number*/) {
    postgres_tables::set_owner(connection, row_, owner);
  });
}

LedgerPlace PostgresCollection::place_of(const std::string& id) const {
  const std::string shown = name() + ": " + prefix_ + id;
  return {shown, std::make_shared<PostgresOpener>(shown, prefix_ + id, session_)};
}

}  // namespace askfew
