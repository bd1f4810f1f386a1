#pragma once

// Estimates of a task's quality over the whole run and over a recent window.

#include <cstdint>
#include <memory>

#include "askfew/estimates/confusion_estimate.h"
#include "askfew/estimates/mistake_forecast.h"

namespace askfew {

/// A round, after its coins were tossed.
struct DecidedRound {
  Label prediction = Label::negative;
  double margin = 0;
  double chance = 0;  ///< the probability with which the label was asked: Query::chance()
  bool asked = false;
};

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
  /// `window`: 0 is the usual window. `horizon`: rounds of the whole run, 0 if unknown; the intervals are
  /// narrowest at its end, and valid at all times whatever the number of rounds will be.
  /// REQUIRES: 0 < floor <= 1.
  explicit Estimate(double floor, std::uint64_t window = 0, std::uint64_t horizon = 0,
                    ForecastKind kind = ForecastKind::fitted);
  /// The default number of recent rounds: `least`, or more if the floor gives few labels in `least` rounds.
  static std::uint64_t usual_window(double floor, std::uint64_t least = 2000);

  /// Adds a round.
  void add(const DecidedRound& round);
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
    visit("forecast", self.forecast_);
  }

 private:
  /// Applies `act` to every stretch that contains the round.
  void at(std::uint64_t round, auto&& act);
  /// The forecast of a round, if it is of use: 0 where the label is uncovered or asked with a large chance.
  [[nodiscard]] double forecast_of(std::uint64_t round, Label prediction, double margin, double chance) const;
  [[nodiscard]] double forecast_of(const AskedLabel& asked) const {
    return forecast_of(asked.round, asked.prediction, asked.margin, asked.chance);
  }

  double floor_;
  std::uint64_t window_;
  std::shared_ptr<const CountGrid> grid_;  // of the windows
  MistakeForecast forecast_;
  ConfusionEstimate whole_;
  ConfusionEstimate older_;   // the reported estimate
  ConfusionEstimate newer_;   // the next estimate to be reported
  std::uint64_t starts_ = 1;  // number of windows started, including newer_; older_ alone is the first window
};

}  // namespace askfew
