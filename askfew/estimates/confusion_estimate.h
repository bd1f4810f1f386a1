#pragma once

// Error, precision, recall and F of a stretch of rounds, estimated from asked labels, with intervals.

#include <cstdint>
#include <memory>

#include "askfew/core/label.h"
#include "askfew/estimates/count_sequence.h"

namespace askfew {

/// A label that was asked.
struct AskedLabel {
  std::uint64_t round = 0;  ///< the round of the label, from 1
  Label prediction = Label::negative;
  Label truth = Label::negative;
  double chance = 1;  ///< the probability with which it was asked: Query::chance()
  double margin = 0;  ///< of the prediction, for the forecast of a mistake
};

/// An estimated figure and the interval that contains the true value.
struct Estimated {
  double value = 0;
  Interval interval;
};

/// The quality over a stretch of rounds, estimated from asked labels only. The figures are those of
/// Confusion, over all rounds, asked or not.
struct Quality {
  std::uint64_t rounds = 0;
  std::uint64_t uncovered = 0;  ///< of these, rounds that no audit could ask: they widen the intervals
  Estimated error{};
  Estimated accuracy{};
  Estimated precision{};
  Estimated recall{};
  Estimated f1{};
};

/// The estimated confusion of a stretch of rounds. Predictions are counted exactly. Two CountSequences
/// estimate the false positives among the positive predictions and the false negatives among the negative
/// predictions.
class ConfusionEstimate {
 public:
  explicit ConfusionEstimate(const std::shared_ptr<const CountGrid>& grid)
      : false_positives_(grid), false_negatives_(grid) {}

  /// Adds a round with this prediction. `covered`: the label was asked, or its probability of being asked was
  /// at least the floor. `forecast`: of a mistake, 0 if the label is uncovered or surely asked.
  void add(Label prediction, bool covered, double forecast = 0) {
    const bool positive = prediction == Label::positive;
    Count& count = positive ? positives_ : negatives_;
    ++count.rounds;
    if (!covered) ++count.uncovered;
    (positive ? false_positives_ : false_negatives_).expect(forecast);
  }
  /// The label of an added round, which had this forecast: see CountSequence.
  void label(const AskedLabel& asked, double forecast = 0) {
    sequence(asked).label(wrong(asked), asked.chance, forecast);
  }
  void retract(const AskedLabel& asked, double forecast = 0) {
    sequence(asked).retract(wrong(asked), asked.chance, forecast);
  }
  void mark_missing(const AskedLabel& asked, double forecast = 0) {
    sequence(asked).mark_missing(asked.chance, forecast);
  }
  void mark_arrived(const AskedLabel& asked, double forecast = 0) {
    sequence(asked).mark_arrived(asked.chance, forecast);
  }

  [[nodiscard]] std::uint64_t rounds() const { return positives_.rounds + negatives_.rounds; }

  /// Each interval contains the true value at all times together with probability 1 - alpha. The intervals of
  /// error and accuracy hold together; all five hold with probability 1 - 4 alpha.
  [[nodiscard]] Quality quality(double alpha) const;
  /// Only the error; the bounds are those of its expectation: see CountSequence.
  [[nodiscard]] Estimated error(double alpha) const;
  [[nodiscard]] Interval expected_error(double alpha) const;

  static void state(auto& self, auto& visit) {
    visit("positives", self.positives_);
    visit("negatives", self.negatives_);
    visit("false_positives", self.false_positives_);
    visit("false_negatives", self.false_negatives_);
  }

 private:
  struct Count {
    std::uint64_t rounds = 0;
    std::uint64_t uncovered = 0;

    static void state(auto& self, auto& visit) {
      visit("rounds", self.rounds);
      visit("uncovered", self.uncovered);
    }
  };

  [[nodiscard]] CountSequence mistakes() const;
  [[nodiscard]] Interval f1_interval(double alpha) const;
  [[nodiscard]] std::uint64_t uncovered() const { return positives_.uncovered + negatives_.uncovered; }
  static bool wrong(const AskedLabel& asked) { return asked.prediction != asked.truth; }
  CountSequence& sequence(const AskedLabel& asked) {
    return asked.prediction == Label::positive ? false_positives_ : false_negatives_;
  }

  Count positives_;
  Count negatives_;
  CountSequence false_positives_;
  CountSequence false_negatives_;
};

}  // namespace askfew
