#pragma once

#include <cstdint>

#include "askfew/ledger/ledger_reader.h"

namespace askfew {

/// What comes behind the whole records of a ledger.
struct LedgerTail {
  enum class Kind : std::uint8_t {
    nothing,
    torn,    ///< a record that was not written to its end
    zeros,   ///< a record, or nothing of it, and then zeros up to the end: the power failed
    damaged  ///< something else
  };
  Kind kind = Kind::nothing;
  std::uint64_t whole = 0;     ///< bytes of the whole records
  std::uint64_t bytes = 0;     ///< behind them
  std::uint64_t zeros = 0;     ///< the last of these
  std::uint64_t place = 0;     ///< where the damage begins
  std::uint64_t readable = 0;  ///< records behind the damage that are whole again
};

/// REQUIRES: the reader has come to its end, or has thrown this.
LedgerTail tail_of(const LedgerFile& file, const LedgerReader& reader, const LedgerDamage* damage);

}  // namespace askfew
