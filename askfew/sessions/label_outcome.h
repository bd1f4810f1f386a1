#pragma once

// What can become of a label that came, and the words for it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace askfew {

/// The result of a label that came.
enum class LabelOutcome : std::uint8_t {
  learned,      ///< the first label for its question
  repeated,     ///< the same label again: nothing changes
  corrected,    ///< another label than before: learned as one more example, nothing is unlearned
  skipped,      ///< the labeller declined
  kept,         ///< declined after a label was given: the label stays
  expired,      ///< too late
  never_asked,  ///< for an instance whose label was not asked
  unknown,      ///< for an instance that is unknown or forgotten
  volunteered,  ///< for an instance whose label was not asked, in a session that takes such labels
  unsure,       ///< the labeller has looked and cannot tell
  collected     ///< one of several people's answers to a question: learned when enough have come
};
inline constexpr std::size_t label_outcomes = 11;
std::string_view text_of(LabelOutcome outcome);

/// What becomes of a label that was not asked. It never enters the estimates: nothing is known about the
/// probability with which such labels come.
enum class Volunteered : std::uint8_t {
  refused,  ///< the outcome is never_asked or unknown
  kept,     ///< recorded, and not learned
  learned
};
std::string_view text_of(Volunteered volunteered);
/// `refuse`, `keep` or `learn`; nothing for another text.
std::optional<Volunteered> parse_volunteered(std::string_view text);

}  // namespace askfew
