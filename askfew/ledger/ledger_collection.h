#pragma once

#include <string>

#include "askfew/ledger/ledger_place.h"

// Threads: any thread may call the members.

namespace askfew {

/// Many ledgers that one process writes at a time, such as those of a server in a database.
class LedgerCollection {
 public:
  virtual ~LedgerCollection() = default;
  LedgerCollection(const LedgerCollection&) = delete;
  LedgerCollection& operator=(const LedgerCollection&) = delete;
  LedgerCollection(LedgerCollection&&) = delete;
  LedgerCollection& operator=(LedgerCollection&&) = delete;

  /// The name in messages; it has no password.
  [[nodiscard]] virtual const std::string& name() const = 0;
  /// Takes the collection for this process; false: another process has it. THROWS: FileError.
  [[nodiscard]] virtual bool try_take() = 0;
  enum class Hold : std::uint8_t {
    ours,
    unknown,  ///< the database does not answer
    lost      ///< another process has taken the collection since: this process can write no more
  };
  /// REQUIRES: the collection was taken.
  [[nodiscard]] virtual Hold hold() = 0;

  /// A text that tells to what the ledgers belong; empty: it was never set. REQUIRES: the collection was
  /// taken. THROWS: FileError.
  [[nodiscard]] virtual std::string owner() = 0;
  virtual void set_owner(const std::string& owner) = 0;

  [[nodiscard]] virtual LedgerPlace place_of(const std::string& id) const = 0;

 protected:
  LedgerCollection() = default;
};

}  // namespace askfew
