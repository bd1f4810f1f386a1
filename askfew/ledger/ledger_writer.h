#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "askfew/ledger/ledger_store.h"
#include "askfew/ledger/record.h"

namespace askfew {

/// Adds records to a ledger. Records survive any end of the process after `flush` and `commit(false)`, and a
/// crash of the machine after `commit(true)`.
class LedgerWriter {
 public:
  /// A new ledger with this first record. The first flush overwrites the old content of the store.
  LedgerWriter(std::unique_ptr<LedgerStore> store, std::string_view start);
  /// Continues after the first `bytes`, where the next record begins with this link; all later bytes are cut
  /// off. THROWS: FileError.
  LedgerWriter(std::unique_ptr<LedgerStore> store, std::uint64_t bytes, ledger::Link link);

  /// The next flush writes the record.
  void add(ledger::Type type, std::string_view payload);
  /// Writes all records that were added. If writing fails, or if somebody has deleted, moved or changed the
  /// ledger, it stays as before and the records stay in memory: the caller can flush again or take them back.
  [[nodiscard]] bool flush();
  /// After a failed flush: could the partly written bytes not be cut off? Then complete records may be among
  /// them until the next flush, and a new process would read them.
  [[nodiscard]] bool is_ragged() const { return is_ragged_; }
  /// The reason of the last failed flush or commit.
  [[nodiscard]] const std::string& why() const { return why_; }
  /// Makes everything that was flushed safe; `sync`: also for a crash of the machine. False: it may be lost,
  /// and the next flush or commit tries again. THROWS: FileError; then the state of the disk is unknown.
  [[nodiscard]] bool commit(bool sync);

  /// The bytes of the ledger, without what was added and not written.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Is everything written that was added?
  [[nodiscard]] bool is_flushed() const { return buffer_.empty(); }

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
  /// Has somebody else deleted, moved or changed the ledger?
  [[nodiscard]] bool is_touched_by_others();

  std::unique_ptr<LedgerStore> store_;
  std::uint64_t bytes_ = 0;  // bytes of the complete records in the store
  bool is_ragged_ = false;   // more bytes may follow
  ledger::Link link_ = 0;
  std::string buffer_;
  std::string why_;
};

}  // namespace askfew
