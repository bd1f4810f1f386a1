#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "askfew/ledger/ledger_tail.h"

namespace askfew {

/// What a ledger holds, found without taking a line.
struct LedgerCheck {
  int format = 0;
  std::uint64_t lines = 0;
  std::uint64_t outcomes = 0;
  std::uint64_t set_aside = 0;            ///< lines
  std::vector<std::uint64_t> unfinished;  ///< numbers of lines that have no outcome and are not set aside
  struct Times {
    std::int64_t first = 0;
    std::int64_t last = 0;
  };
  std::optional<Times> times;  ///< of the lines, by the machine's clock; nothing if there are none
  LedgerTail tail;
};

/// Reads every byte; what is damaged is in its tail. THROWS: DataError for what is no ledger, or whose
/// records do not fit together; ModelError for what this version does not know; FileError.
LedgerCheck check_ledger(const std::string& path);

/// Adds to the ledger that this line is never to be taken, because a process ends or lasts for ever that does
/// so. Returns bytes of a torn record that were cut off. THROWS: as `check_ledger`; ConfigError unless it is
/// one of the unfinished: what the others did cannot be undone.
std::uint64_t set_line_aside(const std::string& path, std::uint64_t line, const std::string& why);

}  // namespace askfew
