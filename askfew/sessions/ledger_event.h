#pragma once

// Records of a ledger that are not lines of the session: events, as JSON.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

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
  std::string person;  ///< empty: an earlier version wrote it, in which no two people had the same key
  std::string key;
};

/// An instance that is kept until a person wants a question. Its round comes later, as a line of its own.
struct InstanceKept {
  std::string line;
};

/// The lines that follow are messages of one partition of a topic, which can be read again from any offset.
struct MessagesTaken {
  std::string topic;
  std::int32_t partition = 0;
  std::int32_t partitions = 0;        ///< number of partitions of the topic
  std::vector<std::int64_t> offsets;  ///< of the lines that follow, one for each
  std::int64_t next = 0;              ///< offset after all messages of the group, if all lines follow
  std::uint64_t answered = 0;  ///< so many answers, to the first lines and refused messages of the ledger,
                               ///< have arrived for certain
};

/// A message that is no line of a session, and the answer to it.
struct MessageRefused {
  std::string topic;
  std::int64_t offset = 0;
  std::optional<std::string> key;  ///< bytes that are not UTF-8 are replaced
  std::string answer;
};

/// Records other than lines and outcomes. Later versions may add more.
using LedgerEvent = std::variant<ClockSetBack, LineSetAside, AnswerHeld, AnswerTakenBack, InstanceKept,
                                 MessagesTaken, MessageRefused>;

/// As JSON: {"event": "...", ...}.
std::string event_payload(const LedgerEvent& event);
/// THROWS: ModelError for an event that this version does not know.
LedgerEvent event_of(std::string_view payload);

}  // namespace askfew
