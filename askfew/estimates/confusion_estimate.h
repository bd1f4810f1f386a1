#pragma once

#include <cstdint>
#include <memory>

#include "askfew/core/label.h"
#include "askfew/estimates/count_sequence.h"

namespace askfew {

/// A label that was asked.
struct AskedLabel {
  std::uint64_t round = 0;  ///< of which it is the label, from 1
  Label prediction = Label::negative;
  Label truth = Label::negative;
  double chance = 1;  ///< the probability with which it was asked: Query::chance()
};

/// A figure that was estimated, and the interval that holds the truth.
struct Estimated {
  double value = 0;
  Interval interval;
};

/// What is known of a stretch of rounds from its asked labels alone. Figures are those of Confusion, over all
/// the rounds, asked or not.
struct Quality {
  std::uint64_t rounds = 0;
  Estimated error{};
  Estimated accuracy{};
  Estimated precision{};
  Estimated recall{};
  Estimated f1{};
};

/// The confusion of a stretch of rounds, estimated. Predictions are counted; of the false positives among the
/// positive ones and the false negatives among the negative ones there is a CountSequence each.
class ConfusionEstimate {
 public:
  explicit ConfusionEstimate(const std::shared_ptr<const CountGrid>& grid)
      : false_positives_(grid), false_negatives_(grid) {}

  /// A round with this prediction. `covered`: its label was asked, or had at least the floor's probability to
  /// be asked.
  void add(Label prediction, bool covered) {
    Count& count = prediction == Label::positive ? positives_ : negatives_;
    ++count.rounds;
    if (!covered) ++count.uncovered;
  }
  /// The label of one of those rounds: see CountSequence.
  void label(const AskedLabel& asked) { sequence(asked).label(wrong(asked), asked.chance); }
  void retract(const AskedLabel& asked) { sequence(asked).retract(wrong(asked), asked.chance); }
  void mark_missing(const AskedLabel& asked) { sequence(asked).mark_missing(asked.chance); }
  void mark_arrived(const AskedLabel& asked) { sequence(asked).mark_arrived(asked.chance); }

  [[nodiscard]] std::uint64_t rounds() const { return positives_.rounds + negatives_.rounds; }

  /// Each interval holds the truth at all times together with probability 1 - alpha. Those of error and
  /// accuracy hold together, so do those of recall and F; all five with probability 1 - 3 alpha.
  [[nodiscard]] Quality quality(double alpha) const;
  /// The error alone; bounds of its expectation: see CountSequence.
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
