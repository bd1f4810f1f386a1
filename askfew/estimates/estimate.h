#pragma once

#include <cstdint>
#include <memory>

#include "askfew/estimates/confusion_estimate.h"

namespace askfew {

/// The quality of a task's predictions, estimated from asked labels only.
///
/// The estimated quantity is the progressive confusion: the prediction of every round as it was made. The
/// probabilities with which labels are asked are known, and at least `floor` in every covered round (the
/// audit): CountSequence turns that into intervals that hold at all times together, whatever the data, the
/// learner and the rule are. So a user may look at the intervals at any time, and stop when they are narrow
/// enough.
///
/// There are figures for the whole run and for a recent window. A new estimate starts `window` rounds after
/// the last start, or after a quarter of all rounds before it, where that is more; the second newest estimate
/// is reported. So it covers `window` to 2 `window` rounds (fewer at the beginning), and in a long run the
/// last 20 to 36% of the rounds. The k-th start, from 1, is given alpha/(k(k+1)), which sums to alpha: with
/// probability 1 - alpha the interval of a figure holds in every window at every time. k grows with the
/// logarithm of the rounds only, so that the intervals of a long run stay narrow.
///
/// The memory is constant. A round that is not asked updates only a few counters.
class Estimate {
 public:
  /// With the default window. REQUIRES: 0 < floor <= 1.
  explicit Estimate(double floor);
  /// REQUIRES: 0 < floor <= 1, window >= 1.
  Estimate(double floor, std::uint64_t window);
  /// The default number of recent rounds: `least`, or more if the floor gives few labels in `least` rounds.
  static std::uint64_t usual_window(double floor, std::uint64_t least = 2000);

  /// Adds a round. `covered`: the label was asked, or its probability of being asked was at least the floor.
  void add(Label prediction, bool covered = true);
  /// The label of an added round, now or later. For a correction, first retract the old label.
  void label(const AskedLabel& asked);
  void retract(const AskedLabel& asked);
  /// mark_missing: the label of a round was asked and has not come (yet). mark_arrived: the label came after
  /// all. The true label is not used.
  void mark_missing(const AskedLabel& asked);
  void mark_arrived(const AskedLabel& asked);

  [[nodiscard]] double floor() const { return floor_; }
  [[nodiscard]] std::uint64_t rounds() const { return whole_.rounds(); }
  [[nodiscard]] Quality whole(double alpha = 0.05) const { return whole_.quality(alpha); }
  [[nodiscard]] Quality recent(double alpha = 0.05) const;

  static void state(auto& self, auto& visit) {
    visit("whole", self.whole_);
    visit("older", self.older_);
    visit("newer", self.newer_);
    visit("starts", self.starts_);
  }

 private:
  /// Applies `act` to every stretch that contains the round.
  void at(std::uint64_t round, auto&& act);

  double floor_;
  std::uint64_t window_;
  std::shared_ptr<const CountGrid> grid_;
  ConfusionEstimate whole_;
  ConfusionEstimate older_;   // the reported estimate
  ConfusionEstimate newer_;   // the next estimate to be reported
  std::uint64_t starts_ = 1;  // number of windows started, including newer_; older_ alone is the first window
};

}  // namespace askfew
