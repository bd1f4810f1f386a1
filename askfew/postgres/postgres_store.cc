#include "askfew/postgres/postgres_store.h"

#include <algorithm>
#include <cstring>
#include <fmt/core.h>
#include <utility>

namespace askfew {
namespace {

constexpr std::uint64_t window_bytes = std::uint64_t{1} << 20;

}  // namespace

PostgresStore::PostgresStore(std::string name, std::shared_ptr<PostgresSession> session, std::int64_t ledger,
                             std::uint64_t bytes)
    : LedgerStore(std::move(name)), session_(std::move(session)), ledger_(ledger), bytes_(bytes) {}

std::size_t PostgresStore::read(std::uint64_t place, char* out, std::size_t size) const {
  const bool is_at_hand = place >= window_place_ && place < window_place_ + window_.size();
  if (!is_at_hand) {
    window_ = session_->with([&](PostgresConnection& connection, std::uint64_t /*number*/) {
      return postgres_tables::bytes_from(connection, ledger_, place, window_bytes);
    });
    window_place_ = place;
    if (window_.empty()) window_.shrink_to_fit();  // after the last byte nothing more is read
    if (window_.empty() && place < bytes_)
      throw FileError(
          fmt::format("{}: the bytes from {} to {} are missing in the database", name(), place, bytes_));
  }
  const std::string_view found = std::string_view(window_).substr(place - window_place_, size);
  std::memcpy(out, found.data(), found.size());
  return found.size();
}

void PostgresStore::show_from(std::uint64_t place, const SeeBytes& see) const {
  std::string all;
  std::string piece(window_bytes, '\0');
  while (const std::size_t got = read(place + all.size(), piece.data(), piece.size()))
    all.append(piece, 0, got);
  see(all);
}

LedgerStore::Status PostgresStore::status() const {
  return {.is_regular = true, .is_in_place = true, .size = bytes_};
}

std::string PostgresStore::write(std::uint64_t /*place*/, std::string_view /*bytes*/) {
  return "the ledger was opened for reading";
}

std::string PostgresStore::cut(std::uint64_t /*place*/) {
  return "the ledger was opened for reading";
}

std::string PostgresStore::commit(bool /*sync*/) {
  return "";
}

PostgresWriter::PostgresWriter(std::string name, std::shared_ptr<PostgresSession> session,
                               std::int64_t ledger, const postgres_tables::State& state,
                               std::uint64_t connection)
    : PostgresStore(std::move(name), std::move(session), ledger, state.bytes),
      writer_(state.writers),
      connection_(connection) {}

PostgresWriter::~PostgresWriter() {
  session().end_to_write(ledger());
  try {
    session().with_open([&](PostgresConnection& connection, std::uint64_t number) {
      if (number == connection_) postgres_tables::unlock(connection, ledger());
    });
  } catch (const std::exception&) {
    // The lock is gone with its connection.
  }
}

LedgerStore::Status PostgresWriter::status() const {
  return {.is_regular = true, .is_in_place = true, .size = bytes() + pending_.size()};
}

void PostgresWriter::lose(const std::string& why) {
  lost_ = why;
  throw FileError(why);
}

void PostgresWriter::take_lock_again(PostgresConnection& connection) {
  using postgres_tables::State;
  if (!postgres_tables::try_lock(connection, ledger()))
    throw FileError(name() + ": another connection has the lock of the ledger");
  const auto found = postgres_tables::state_of(connection, ledger());
  const State before{.bytes = bytes(), .writers = writer_};
  const State after{.bytes = bytes() + pending_.size(), .writers = writer_};
  if (found == after) {  // the last commit was done, and its answer was lost
    set_bytes(after.bytes);
    pending_.clear();
  } else if (found != before) {
    postgres_tables::unlock(connection, ledger());
    lose(name() + (found ? ": another process has written this ledger meanwhile: open it again"
                         : ": the ledger was deleted"));
  }
}

void PostgresWriter::expect_lock(PostgresConnection& connection, std::uint64_t number) {
  if (!lost_.empty()) throw FileError(lost_);
  if (number == connection_) return;
  take_lock_again(connection);
  connection_ = number;
}

std::string PostgresWriter::write(std::uint64_t /*place*/, std::string_view bytes) {
  // What could not be committed comes first, so that a commit that failed is always one and the same.
  if (std::string failure = has_failed_ ? commit(false) : ""; !failure.empty()) return failure;
  try {
    session().with(
        [&](PostgresConnection& connection, std::uint64_t number) { expect_lock(connection, number); });
  } catch (const FileError& error) {
    return error.what();
  }
  pending_ += bytes;
  return "";
}

std::string PostgresWriter::cut(std::uint64_t place) {
  if (place == bytes() + pending_.size()) return "";
  if (place < bytes()) return "a database keeps no half-written record, and the ledger ends with one";
  pending_.resize(place - bytes());
  return "";
}

void PostgresWriter::append_pending(bool sync) {
  session().with([&](PostgresConnection& connection, std::uint64_t number) {
    expect_lock(connection, number);
    if (pending_.empty()) return;
    connection.wait_for_standbys(sync);
    const postgres_tables::State state{.bytes = bytes(), .writers = writer_};
    if (!postgres_tables::append(connection, ledger(), state, pending_))
      lose(name() + ": another process has written this ledger meanwhile: open it again");
    set_bytes(bytes() + pending_.size());
    pending_.clear();
  });
}

std::string PostgresWriter::commit(bool sync) {
  // The second time with a new connection: that the old one broke is noticed only when it is used.
  for (const bool is_last : {false, true}) {
    try {
      append_pending(sync);
      has_failed_ = false;
      return "";
    } catch (const FileError& error) {
      has_failed_ = true;
      if (is_last || !lost_.empty()) return error.what();
    }
  }
  return "";
}

}  // namespace askfew
