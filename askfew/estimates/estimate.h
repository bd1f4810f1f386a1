#pragma once

#include <cstdint>
#include <memory>

#include "askfew/estimates/confusion_estimate.h"

namespace askfew {

/// How good a task's predictions are, from asked labels only: what can be said where nobody knows the others.
///
/// The truth is the progressive confusion, of every round's prediction as it was made. The probabilities with
/// which labels are asked are known, and at least `floor` in every covered round (the audit): CountSequence
/// turns that into intervals that hold at all times together, whatever the data, the learner and the rule
/// are. So one may look at them whenever one likes, and stop when they are narrow enough.
///
/// Figures are over the whole run, and over a recent window. At each multiple of `window` rounds a new
/// estimate starts; the one before the newest is reported, so that the window is `window` to twice that many
/// rounds long (shorter in the beginning). The k-th start, from 1, is given alpha/(k(k+1)), which sums to
/// alpha: with probability 1 - alpha the interval of a figure holds in every window at every time.
///
/// The memory is constant. A round that is not asked costs a few counters.
class Estimate {
 public:
  /// With the usual window. REQUIRES: 0 < floor <= 1.
  explicit Estimate(double floor);
  /// REQUIRES: 0 < floor <= 1, window >= 1.
  Estimate(double floor, std::uint64_t window);
  /// How many rounds are recent: `least`, or more where so many have few labels that are asked at the floor.
  static std::uint64_t usual_window(double floor, std::uint64_t least = 2000);

  /// A round. `covered`: its label was asked, or had at least the floor's probability to be asked.
  void add(Label prediction, bool covered = true);
  /// The label of a round that was added, now or later; a correction takes it back first.
  void label(const AskedLabel& asked);
  void retract(const AskedLabel& asked);
  /// The label of a round was asked, and has not come, or not yet; it came after all. The truth is not used.
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
  /// Does something to every stretch that the round is part of.
  void at(std::uint64_t round, auto&& act);

  double floor_;
  std::uint64_t window_;
  std::shared_ptr<const CountGrid> grid_;
  ConfusionEstimate whole_;
  ConfusionEstimate older_;   // which is reported
  ConfusionEstimate newer_;   // which follows it
  std::uint64_t starts_ = 1;  // how many windows there were, with the newer; the first is the older alone
};

}  // namespace askfew
