#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "askfew/ledger/ledger_file.h"
#include "askfew/ledger/record.h"

namespace askfew {

/// Adds records to a ledger. Records survive any end of the process after `flush`, and a crash of the machine
/// after `sync`.
class LedgerWriter {
 public:
  /// A new ledger with this first record. The first flush overwrites the old content of the file.
  LedgerWriter(LedgerFile file, std::string_view start);
  /// Continues after the first `bytes`, where the next record begins with this link; all later bytes are cut
  /// off. THROWS: FileError.
  LedgerWriter(LedgerFile file, std::uint64_t bytes, ledger::Link link);

  /// The next flush writes the record.
  void add(ledger::Type type, std::string_view payload);
  /// Writes all records that were added. If writing fails, or if somebody has deleted, moved or changed the
  /// file, the file stays as before and the records stay in memory: the caller can flush again or take them
  /// back.
  [[nodiscard]] bool flush();
  /// After a failed flush: could the partly written bytes not be cut off? Then complete records may be among
  /// them until the next flush, and a new process would read them.
  [[nodiscard]] bool is_ragged() const { return is_ragged_; }
  /// The reason of the last failed flush.
  [[nodiscard]] const std::string& why() const { return why_; }
  /// Syncs the file, the first time also its name. THROWS: FileError; then the state of the disk is unknown.
  void sync();

  /// Removes the records added since the mark. REQUIRES: they were not written.
  struct Mark {
    std::size_t bytes = 0;
    ledger::Link link = 0;
  };
  [[nodiscard]] Mark mark() const { return {buffer_.size(), link_}; }
  void retract(const Mark& mark);

 private:
  /// Cuts off the bytes after the last complete record.
  [[nodiscard]] bool cut();
  /// Has somebody else deleted, moved or changed the file?
  [[nodiscard]] bool is_touched_by_others();

  LedgerFile file_;
  std::uint64_t bytes_ = 0;  // bytes of the complete records in the file
  bool is_ragged_ = false;   // more bytes may follow
  bool has_name_ = false;    // the name is certainly on the disk
  ledger::Link link_ = 0;
  std::string buffer_;
  std::string why_;
};

}  // namespace askfew
