#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "askfew/ledger/ledger_file.h"
#include "askfew/ledger/record.h"

namespace askfew {

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
  /// THROWS: DataError with the place for what is foreign or damaged, FileError.
  std::optional<Record> next();

  /// How many bytes all records so far take, the magic text included.
  [[nodiscard]] std::uint64_t whole_bytes() const { return offset_; }
  /// After the last record: how many bytes of a torn one follow.
  [[nodiscard]] std::uint64_t torn_bytes() const { return torn_bytes_; }
  /// What the next record would begin with.
  [[nodiscard]] ledger::Link link() const { return link_; }

 private:
  /// Has the buffer so many bytes, or can they be read?
  bool has(std::size_t bytes);
  [[nodiscard]] std::string_view at_hand() const {
    return std::string_view(buffer_).substr(begin_, end_ - begin_);
  }
  void pass(std::size_t bytes);
  bool pass_magic();
  [[noreturn]] void fail(const std::string& why) const;

  const LedgerFile& file_;
  std::string buffer_;
  std::size_t begin_ = 0;  // what was not passed yet is [begin, end)
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;  // in the file, of begin
  std::size_t passes_ = 0;    // bytes of the last record, which its reader may still look at
  std::uint64_t torn_bytes_ = 0;
  ledger::Link link_ = 0;
};

}  // namespace askfew
