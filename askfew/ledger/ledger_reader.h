#pragma once

// Reads a ledger record by record and checks every byte.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "askfew/core/errors.h"
#include "askfew/ledger/ledger_store.h"
#include "askfew/ledger/record.h"

namespace askfew {

/// A ledger whose bytes differ from what was written.
class LedgerDamage : public DataError {
 public:
  LedgerDamage(const ParseError& error, std::uint64_t place, ledger::Link link)
      : DataError(error), place_(place), link_(link) {}

  /// Where the damaged record begins, and the link that it should begin with.
  [[nodiscard]] std::uint64_t place() const { return place_; }
  [[nodiscard]] ledger::Link link() const { return link_; }

 private:
  std::uint64_t place_;
  ledger::Link link_;
};

/// Where a record begins, and the hash of the record before it.
struct RecordPlace {
  std::uint64_t place = 0;
  ledger::Link before = 0;
};

/// The last place from `first` on and before `end` that looks like the beginning of a record of this type: it
/// has a valid prefix. The record may be torn or damaged. THROWS: FileError.
std::optional<RecordPlace> find_last_record(const LedgerStore& store, ledger::Type type, std::uint64_t first,
                                            std::uint64_t end);

/// Reads the records of a ledger, and checks every byte.
class LedgerReader {
 public:
  struct Record {
    ledger::Type type = ledger::Type::start;
    std::string_view payload;  ///< valid until the next call
    std::uint64_t offset = 0;  ///< offset of the record in the ledger
    ledger::Link before = 0;   ///< hash of the record before
  };

  /// REQUIRES: the store outlives this object; a pipe, that nothing was read from it.
  explicit LedgerReader(const LedgerStore& store) : store_(store) {}

  /// The next complete record; nothing at the end, even if a torn record follows. Do not call again after the
  /// end. THROWS: LedgerDamage, DataError if it is not a ledger or is newer, FileError.
  std::optional<Record> next();

  /// The next record is the one that begins at this place, after a record with this hash; what is before it
  /// is not read, not even the format.
  void go_to(const RecordPlace& place);

  /// Where the next record begins.
  [[nodiscard]] std::uint64_t next_place() const { return offset_ + passes_; }

  /// After the last record or an exception: the bytes of all complete records, including the magic text.
  [[nodiscard]] std::uint64_t whole_bytes() const { return whole_.bytes; }
  /// After the last record: the number of bytes of a torn record that follow.
  [[nodiscard]] std::uint64_t torn_bytes() const { return torn_bytes_; }
  /// After the last record: the link that the next record begins with.
  [[nodiscard]] ledger::Link link() const { return whole_.link; }
  /// The format of the ledger.
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

  /// The next piece of the ledger; nothing at its end.
  std::optional<Piece> next_piece();
  /// Does the buffer contain so many bytes, or can they be read?
  bool has(std::size_t bytes);
  [[nodiscard]] std::string_view at_hand() const {
    return std::string_view(buffer_).substr(begin_, end_ - begin_);
  }
  void pass(std::size_t bytes);
  bool pass_magic();
  [[nodiscard]] ParseError error(std::string_view what, std::string_view advice) const;
  [[noreturn]] void fail_as_damaged(std::string_view what) const;

  const LedgerStore& store_;
  std::string buffer_;
  std::size_t begin_ = 0;  // unread bytes are [begin, end)
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;  // offset of begin in the ledger
  std::size_t passes_ = 0;    // bytes of the last piece, which the caller may still read
  ledger::Link link_ = 0;
  std::string joined_;  // the joined pieces of one payload
  Whole whole_;
  std::uint64_t torn_bytes_ = 0;
  int format_ = 0;
};

}  // namespace askfew
