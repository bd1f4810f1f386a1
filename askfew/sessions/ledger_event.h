#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace askfew {

/// From here on the machine's clock and the session's time differ: lines have the time of the machine, which
/// was set back, and the session goes on from its last one. Both in microseconds since 1970.
struct ClockSetBack {
  std::int64_t machine = 0;
  std::int64_t session = 0;
};

/// A line that is never taken: nobody can, or nobody wants to. It has no outcome.
struct LineSetAside {
  std::uint64_t line = 0;  ///< its number in the ledger, from 1
  std::string why;
};

/// What is recorded besides lines and their outcomes. Others may come with later versions.
using LedgerEvent = std::variant<ClockSetBack, LineSetAside>;

/// As JSON: {"event": "...", ...}.
std::string event_payload(const LedgerEvent& event);
/// THROWS: ModelError for one that this version does not know.
LedgerEvent event_of(std::string_view payload);

}  // namespace askfew
