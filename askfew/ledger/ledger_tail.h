#pragma once

// What stands after the complete records of a ledger: nothing, a torn record, zeros or damage.

#include <cstdint>

#include "askfew/ledger/ledger_reader.h"

namespace askfew {

/// The bytes after the complete records of a ledger.
struct LedgerTail {
  enum class Kind : std::uint8_t {
    nothing,
    torn,    ///< an incomplete record
    zeros,   ///< a part of a record, or nothing, and then zeros up to the end: a power failure
    damaged  ///< anything else
  };
  Kind kind = Kind::nothing;
  std::uint64_t whole = 0;     ///< bytes of the complete records
  std::uint64_t bytes = 0;     ///< bytes after the complete records
  std::uint64_t zeros = 0;     ///< number of zeros at the end
  std::uint64_t place = 0;     ///< where the damage begins
  std::uint64_t readable = 0;  ///< number of valid records after the damage
};

/// REQUIRES: the reader of this store has reached its end, or has thrown this damage.
LedgerTail tail_of(const LedgerStore& store, const LedgerReader& reader, const LedgerDamage* damage);

}  // namespace askfew
