#pragma once

// The counts of a sampler.

#include <cstdint>

namespace askfew {

/// An upper limit that no stream reaches.
inline constexpr std::uint64_t max_rounds = std::uint64_t{1} << 62;

/// The counts of a sampler so far; a rule may use them.
struct Tally {
  std::uint64_t round = 0;    ///< t, the number of rounds so far, including the current round
  std::uint64_t asked = 0;    ///< labels asked
  std::uint64_t audited = 0;  ///< asked labels that the audit's coin chose
  std::uint64_t updates = 0;  ///< K, also N: updates of the learner (not reflect's first instance)
  double expected_asked = 0;  ///< sum of the ask probabilities, or of their upper bounds
  double expected_slack = 0;  ///< the exact sum is smaller than expected_asked by at most this
  std::uint64_t spreads = 0;  ///< rounds whose exact spread was computed

  /// Could the loaded state have been saved by a sampler? (Updates may exceed asked labels: a corrected label
  /// is learned again.)
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
