#pragma once

// A connection to PostgreSQL; the only header that wraps libpq.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "askfew/core/errors.h"
#include "askfew/postgres/postgres_url.h"

struct pg_conn;
struct pg_result;

// Threads: each class is for one thread at a time.

namespace askfew {

/// An error of PostgreSQL, or of the connection to it.
class PostgresError : public FileError {
 public:
  PostgresError(const std::string& why, std::string state) : FileError(why), state_(std::move(state)) {}
  /// The SQLSTATE: five characters; empty if there was no answer.
  [[nodiscard]] const std::string& state() const { return state_; }

 private:
  std::string state_;
};

/// A parameter of a statement.
class PostgresValue {
 public:
  // NOLINTBEGIN(google-explicit-constructor): what is given is the value
  PostgresValue(std::int64_t number) : text_(std::to_string(number)) {}
  PostgresValue(std::uint64_t number) : text_(std::to_string(number)) {}
  PostgresValue(std::string text) : text_(std::move(text)) {}
  // NOLINTEND(google-explicit-constructor)
  /// REQUIRES: the bytes outlive the statement.
  static PostgresValue bytes(std::string_view bytes) {
    PostgresValue value("");
    value.bytes_ = bytes;
    value.is_binary_ = true;
    return value;
  }
  [[nodiscard]] const char* data() const { return is_binary_ ? bytes_.data() : text_.c_str(); }
  [[nodiscard]] int size() const { return static_cast<int>(is_binary_ ? bytes_.size() : text_.size()); }
  [[nodiscard]] int format() const { return is_binary_ ? 1 : 0; }

 private:
  std::string text_;
  std::string_view bytes_;
  bool is_binary_ = false;
};

/// The rows that a statement gave.
class PostgresRows {
 public:
  explicit PostgresRows(pg_result* result) : result_(result, clear) {}

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool is_null(std::size_t row, int column) const;
  /// Valid as long as this object.
  [[nodiscard]] std::string_view bytes(std::size_t row, int column) const;
  /// A number or a truth, which the statement gave as a text.
  [[nodiscard]] std::int64_t number(std::size_t row, int column) const;
  [[nodiscard]] bool truth(std::size_t row, int column) const { return bytes(row, column) == "t"; }
  /// The number of rows that the statement changed.
  [[nodiscard]] std::int64_t changed() const;

 private:
  static void clear(pg_result* result);
  std::unique_ptr<pg_result, void (*)(pg_result*)> result_;
};

/// A connection to a database. Both ends notice within seconds that the other one is gone.
class PostgresConnection {
 public:
  /// THROWS: PostgresError.
  explicit PostgresConnection(const PostgresUrl& url);

  /// The database in messages.
  [[nodiscard]] const std::string& name() const { return url_.shown; }
  [[nodiscard]] bool is_alive() const;
  enum class Results : std::uint8_t { as_text, as_bytes };
  /// One statement with parameters $1, $2, ... THROWS: PostgresError.
  PostgresRows run(const char* statement, std::span<const PostgresValue> values,
                   Results results = Results::as_text);
  PostgresRows run(const char* statement, std::initializer_list<PostgresValue> values) {
    return run(statement, std::span(values.begin(), values.size()));
  }
  /// Several statements without parameters. THROWS: PostgresError.
  void run_all(const char* statements);
  /// Does a commit wait for the database's standbys, too, if it has some? It always waits for the disk of the
  /// database itself. THROWS: PostgresError.
  void wait_for_standbys(bool does_wait);

 private:
  [[noreturn]] void fail(const pg_result* result) const;

  PostgresUrl url_;
  std::unique_ptr<pg_conn, void (*)(pg_conn*)> connection_;
  bool waits_for_standbys_ = true;
};

}  // namespace askfew
