#pragma once

// The interface of a place where the bytes of a ledger are stored, such as a file or a database.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "askfew/core/errors.h"

namespace askfew {

/// Another process writes the ledger.
class LedgerBusy : public FileError {
 public:
  using FileError::FileError;
};

/// The bytes of one open ledger, wherever they are: LedgerFile has them in a file. A store that was opened
/// for writing is locked against other writers.
class LedgerStore {
 public:
  virtual ~LedgerStore() = default;
  LedgerStore(const LedgerStore&) = delete;
  LedgerStore& operator=(const LedgerStore&) = delete;
  LedgerStore(LedgerStore&&) = delete;
  LedgerStore& operator=(LedgerStore&&) = delete;

  /// The name of the ledger in messages; it has no password.
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Reads up to `size` bytes at this place and returns their number; 0: the end. THROWS: FileError.
  virtual std::size_t read(std::uint64_t place, char* out, std::size_t size) const = 0;
  using SeeBytes = std::function<void(std::string_view)>;
  /// Shows all bytes from this place to the end at once. THROWS: FileError.
  virtual void show_from(std::uint64_t place, const SeeBytes& see) const = 0;

  struct Status {
    bool is_regular = false;   ///< the bytes can be read back; those of a device cannot
    bool is_in_place = false;  ///< the name leads to these bytes; false once somebody deletes, moves or
                               ///< replaces them
    std::uint64_t size = 0;
  };
  [[nodiscard]] virtual Status status() const = 0;

  // Writing. The text that is returned says what failed; empty: nothing did.

  /// Adds bytes. After a failure some of them may be there. REQUIRES: the place is the end of what was
  /// written.
  [[nodiscard]] virtual std::string write(std::uint64_t place, std::string_view bytes) = 0;
  /// Cuts off everything from this place.
  [[nodiscard]] virtual std::string cut(std::uint64_t place) = 0;
  /// What was written survives any end of the process afterwards; with `sync` also a crash of the machine.
  /// After a failure the bytes wait, and the next write or commit tries again. THROWS: FileError; then the
  /// state of the disk is unknown.
  [[nodiscard]] virtual std::string commit(bool sync) = 0;

 protected:
  explicit LedgerStore(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

}  // namespace askfew
