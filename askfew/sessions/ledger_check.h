#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "askfew/ledger/ledger_place.h"
#include "askfew/ledger/ledger_tail.h"
#include "askfew/sessions/checkpoint.h"

namespace askfew {

/// The content of a ledger, found without applying its lines.
struct LedgerCheck {
  int format = 0;
  std::uint64_t lines = 0;
  std::uint64_t outcomes = 0;
  std::uint64_t set_aside = 0;  ///< number of lines
  std::uint64_t checkpoints = 0;
  std::uint64_t dropped_lines =
      0;  ///< of the lines, those that a checkpoint stands for, and that are not there
  std::optional<Checkpoint::Dropped> dropped{};
  std::vector<std::uint64_t> unfinished;  ///< numbers of the lines without an outcome that are not set aside
  struct Times {
    std::int64_t first = 0;
    std::int64_t last = 0;
  };
  std::optional<Times> times;  ///< times of the lines, by the machine's clock; nothing if there are no lines
  LedgerTail tail;
};

/// Reads every byte; `tail` describes the damage. THROWS: DataError if the file is not a ledger or its
/// records do not fit together; ModelError if this version does not know a record; FileError.
LedgerCheck check_ledger(const LedgerPlace& place);

/// Records in the ledger that this line must never be applied, because it crashes or blocks the process.
/// Returns the number of bytes cut off from a torn record. THROWS: as `check_ledger`; ConfigError unless the
/// line is unfinished, because the effects of other lines cannot be undone.
std::uint64_t set_line_aside(const LedgerPlace& place, std::uint64_t line, const std::string& why);

}  // namespace askfew
