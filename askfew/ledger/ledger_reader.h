#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "askfew/core/errors.h"
#include "askfew/ledger/ledger_file.h"
#include "askfew/ledger/record.h"

namespace askfew {

/// A ledger whose bytes are not as they were written.
class LedgerDamage : public DataError {
 public:
  LedgerDamage(const ParseError& error, std::uint64_t place, ledger::Link link)
      : DataError(error), place_(place), link_(link) {}

  /// Where the record begins that is damaged, and with what it should.
  [[nodiscard]] std::uint64_t place() const { return place_; }
  [[nodiscard]] ledger::Link link() const { return link_; }

 private:
  std::uint64_t place_;
  ledger::Link link_;
};

/// Reads the records of a ledger, and checks every byte of them.
class LedgerReader {
 public:
  struct Record {
    ledger::Type type = ledger::Type::start;
    std::string_view payload;  ///< valid until the next call
    std::uint64_t offset = 0;  ///< of the record in the file
  };

  /// REQUIRES: the file outlives it, and nobody has read of it.
  explicit LedgerReader(const LedgerFile& file) : file_(file) {}

  /// The next whole record; nothing at the end, also where a torn one follows, and then no more calls.
  /// THROWS: LedgerDamage, DataError for what is foreign or newer, FileError.
  std::optional<Record> next();

  /// After the last record, or what was thrown: how many bytes all whole records take, the magic text
  /// included.
  [[nodiscard]] std::uint64_t whole_bytes() const { return whole_.bytes; }
  /// After the last record: how many bytes of a torn one follow.
  [[nodiscard]] std::uint64_t torn_bytes() const { return torn_bytes_; }
  /// After the last record: what the next one begins with.
  [[nodiscard]] ledger::Link link() const { return whole_.link; }
  /// The format that the file began with.
  [[nodiscard]] int format() const { return format_; }

 private:
  struct Piece {
    ledger::Type type = ledger::Type::start;
    bool goes_on = false;
    std::string_view payload;
  };
  struct Whole {
    std::uint64_t bytes = 0;
    ledger::Link link = 0;
  };

  /// The next record of the file; nothing where the file ends.
  std::optional<Piece> next_piece();
  /// Has the buffer so many bytes, or can they be read?
  bool has(std::size_t bytes);
  [[nodiscard]] std::string_view at_hand() const {
    return std::string_view(buffer_).substr(begin_, end_ - begin_);
  }
  void pass(std::size_t bytes);
  bool pass_magic();
  [[nodiscard]] ParseError error(std::string_view what, std::string_view advice) const;
  [[noreturn]] void fail_as_damaged(std::string_view what) const;

  const LedgerFile& file_;
  std::string buffer_;
  std::size_t begin_ = 0;  // what was not passed yet is [begin, end)
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;  // in the file, of begin
  std::size_t passes_ = 0;    // bytes of the last piece, which its reader may still look at
  ledger::Link link_ = 0;
  std::string joined_;  // pieces of one payload
  Whole whole_;
  std::uint64_t torn_bytes_ = 0;
  int format_ = 0;
};

}  // namespace askfew
