#pragma once

#include <cstdint>

namespace askfew {

/// More than any stream has.
inline constexpr std::uint64_t max_rounds = std::uint64_t{1} << 62;

/// What a sampler has counted so far, and what a rule may know of the past.
struct Tally {
  std::uint64_t round = 0;    ///< t, the rounds asked about so far, the current one included
  std::uint64_t asked = 0;    ///< labels asked
  std::uint64_t audited = 0;  ///< labels among them that the audit's coin chose
  std::uint64_t updates = 0;  ///< K, also N: updates of the learner (not reflect's first instance)
  double expected_asked = 0;  ///< sum of the ask probabilities, or of their upper bounds
  double expected_slack = 0;  ///< the sum is smaller than expected_asked by at most this
  std::uint64_t spreads = 0;  ///< rounds whose exact spread was computed

  /// Is a state that was just loaded one that could have been saved? (There may be more updates than labels
  /// asked: those that are corrected later are learned once more.)
  [[nodiscard]] bool consistent() const {
    return round <= max_rounds && asked <= round && audited <= asked && updates <= max_rounds &&
           spreads <= round;
  }

  static void state(auto& self, auto& visit) {
    visit("round", self.round);
    visit("asked", self.asked);
    visit("audited", self.audited);
    visit("updates", self.updates);
    visit("expected_asked", self.expected_asked);
    visit("expected_slack", self.expected_slack);
    visit("spreads", self.spreads);
  }
};

}  // namespace askfew
