#pragma once

// Where a ledger is, and how it is opened: a file, or another kind of store.

#include <memory>
#include <string>

#include "askfew/ledger/ledger_store.h"

namespace askfew {

/// Opens one ledger, again and again.
class LedgerOpener {
 public:
  virtual ~LedgerOpener() = default;
  LedgerOpener(const LedgerOpener&) = delete;
  LedgerOpener& operator=(const LedgerOpener&) = delete;
  LedgerOpener(LedgerOpener&&) = delete;
  LedgerOpener& operator=(LedgerOpener&&) = delete;

  /// THROWS: FileError, also if there is no such ledger.
  [[nodiscard]] virtual std::unique_ptr<LedgerStore> for_reading() const = 0;
  /// Opens the ledger and locks it against other writers. Null if there is no such ledger. THROWS:
  /// LedgerBusy, FileError.
  [[nodiscard]] virtual std::unique_ptr<LedgerStore> find_for_writing() const = 0;
  /// The same, but creates the ledger if there is none.
  [[nodiscard]] virtual std::unique_ptr<LedgerStore> for_writing() const = 0;
  /// Deletes the ledger, if there is one. REQUIRES: nobody has it open. THROWS: FileError.
  virtual void remove() const = 0;

 protected:
  LedgerOpener() = default;
};

/// Where a ledger is. A text is the path of a file.
class LedgerPlace {
 public:
  LedgerPlace() = default;        ///< nowhere
  LedgerPlace(std::string path);  // NOLINT(google-explicit-constructor): a path is a place
  LedgerPlace(const char* path) : LedgerPlace(std::string(path)) {}  // NOLINT(google-explicit-constructor)
  LedgerPlace(std::string name, std::shared_ptr<const LedgerOpener> opener);

  [[nodiscard]] bool empty() const { return opener_ == nullptr; }
  [[nodiscard]] bool is_file() const { return is_file_; }
  /// Empty if the ledger is in no file.
  [[nodiscard]] std::string path() const { return is_file_ ? name_ : ""; }
  /// The name in messages: the path of a file; it has no password.
  [[nodiscard]] const std::string& name() const { return name_; }

  // As the opener. REQUIRES: not empty.
  [[nodiscard]] std::unique_ptr<LedgerStore> for_reading() const { return opener_->for_reading(); }
  [[nodiscard]] std::unique_ptr<LedgerStore> find_for_writing() const { return opener_->find_for_writing(); }
  [[nodiscard]] std::unique_ptr<LedgerStore> for_writing() const { return opener_->for_writing(); }
  void remove() const { opener_->remove(); }

 private:
  std::string name_;
  std::shared_ptr<const LedgerOpener> opener_;
  bool is_file_ = false;
};

}  // namespace askfew
