#pragma once

// Questions that several people answer, and what their answers say together.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "askfew/core/round.h"

namespace askfew {

/// A share of the questions is answered by several people.
struct Overlap {
  double share = 0;          ///< 0: none
  std::uint32_t people = 1;  ///< who answer such a question

  bool operator==(const Overlap&) const = default;
  static void state(auto& self, auto& visit) {
    visit("share", self.share);
    visit("people", self.people);
  }
};
/// `10%:3`: a tenth of the questions is for three people; an empty text: none. THROWS: ConfigError.
Overlap parse_overlap(std::string_view text);
/// The text that parse_overlap accepts.
std::string text_of(const Overlap& overlap);

/// A person's answer to a question for several people.
struct Vote {
  std::string by;
  std::optional<LabelNumber> label;  ///< nothing: declined
  bool unsure = false;

  bool operator==(const Vote&) const = default;
  static void state(auto& self, auto& visit) {
    visit("by", self.by);
    visit("label", self.label);
    visit("unsure", self.unsure);
  }
};

/// What the answers to a question say together.
struct Ballot {
  bool is_open = true;               ///< more answers are needed: too few have come, or labels are tied
  std::optional<LabelNumber> label;  ///< the most frequent label; nothing: everybody declined
  bool unsure = false;               ///< without a label: somebody was unsure
};
Ballot count(std::span<const Vote> votes, std::uint32_t people);
/// Do the answers have different labels?
bool are_different(std::span<const Vote> votes);

}  // namespace askfew
