#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace askfew {

/// From here on, the machine's clock and the session's time differ: the machine's clock was set back. Lines
/// have the machine's time; the session continues from its last time. Both in microseconds since 1970.
struct ClockSetBack {
  std::int64_t machine = 0;
  std::int64_t session = 0;
};

/// A line that is never applied, because this is impossible or unwanted. The line has no outcome.
struct LineSetAside {
  std::uint64_t line = 0;  ///< number of the line in the ledger, from 1
  std::string why;
};

/// A person's answer that is not learned yet, so that the person can take the answer back.
struct AnswerHeld {
  std::int64_t came = 0;  ///< when it came, by the machine's clock, in microseconds since 1970
  std::string line;       ///< the label line that will be learned; its `key` names the answer
};

/// The person has taken the answer with this key back; it is never learned.
struct AnswerTakenBack {
  std::string key;
};

/// An instance that is kept until a person wants a question. Its round comes later, as a line of its own.
struct InstanceKept {
  std::string line;
};

/// Records other than lines and outcomes. Later versions may add more.
using LedgerEvent = std::variant<ClockSetBack, LineSetAside, AnswerHeld, AnswerTakenBack, InstanceKept>;

/// As JSON: {"event": "...", ...}.
std::string event_payload(const LedgerEvent& event);
/// THROWS: ModelError for an event that this version does not know.
LedgerEvent event_of(std::string_view payload);

}  // namespace askfew
