#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "askfew/ledger/ledger_file.h"
#include "askfew/ledger/record.h"

namespace askfew {

/// Adds records to a ledger. What `flush` has written survives the process, however that ends; what `sync`
/// has seen survives the machine.
class LedgerWriter {
 public:
  /// A new ledger, whose first record will be this one. What the file holds is lost with the first flush.
  LedgerWriter(LedgerFile file, std::string_view start);
  /// Goes on behind the first `bytes`, where the next record begins with this link; what comes behind them is
  /// cut off. THROWS: FileError.
  LedgerWriter(LedgerFile file, std::uint64_t bytes, ledger::Link link);

  /// The record is written with the next flush.
  void add(ledger::Type type, std::string_view payload);
  /// Writes all records that were added. If that fails, also because somebody has deleted, moved or
  /// changed the file, it is as before and they are still here: they can be tried again, or taken back.
  [[nodiscard]] bool flush();
  /// After a flush that failed: could not even the bytes be cut off that it has written? Then there may be
  /// whole records among them, until the next flush; a process that begins anew would find them.
  [[nodiscard]] bool is_ragged() const { return is_ragged_; }
  /// Why the last flush failed.
  [[nodiscard]] const std::string& why() const { return why_; }
  /// The first time also the file's name. THROWS: FileError; then nobody knows what the disk holds.
  void sync();

  /// Takes back what was added since the mark. REQUIRES: it was not written.
  struct Mark {
    std::size_t bytes = 0;
    ledger::Link link = 0;
  };
  [[nodiscard]] Mark mark() const { return {buffer_.size(), link_}; }
  void retract(const Mark& mark);

 private:
  /// Cuts off what comes behind the last whole record.
  [[nodiscard]] bool cut();
  /// Has somebody else deleted, moved or changed the file?
  [[nodiscard]] bool is_touched_by_others();

  LedgerFile file_;
  std::uint64_t bytes_ = 0;  // of the file, up to which it is whole
  bool is_ragged_ = false;   // more may come behind them
  bool has_name_ = false;    // on the disk, for sure
  ledger::Link link_ = 0;
  std::string buffer_;
  std::string why_;
};

}  // namespace askfew
