#pragma once

#include <array>
#include <cstdint>

#include "askfew/core/label.h"

namespace askfew {

/// Predictions compared with true labels, counted in every round, asked or not.
struct Confusion {
  std::uint64_t true_positives = 0;
  std::uint64_t false_positives = 0;
  std::uint64_t true_negatives = 0;
  std::uint64_t false_negatives = 0;

  void add(Label prediction, Label truth) {
    // No branches: they would be hard to predict.
    constexpr std::array places{&Confusion::true_negatives, &Confusion::false_negatives,
                                &Confusion::false_positives, &Confusion::true_positives};
    const unsigned predicted = prediction == Label::positive ? 2 : 0;
    const unsigned positive = truth == Label::positive ? 1 : 0;
    ++(this->*places[predicted + positive]);
  }

  [[nodiscard]] std::uint64_t rounds() const {
    return true_positives + false_positives + true_negatives + false_negatives;
  }
  [[nodiscard]] std::uint64_t positives() const { return true_positives + false_negatives; }
  [[nodiscard]] std::uint64_t mistakes() const { return false_positives + false_negatives; }
  [[nodiscard]] double accuracy() const { return share(true_positives + true_negatives, rounds()); }
  [[nodiscard]] double precision() const { return share(true_positives, true_positives + false_positives); }
  [[nodiscard]] double recall() const { return share(true_positives, positives()); }
  /// The harmonic mean of precision and recall; 0 without a true positive.
  [[nodiscard]] double f1() const { return share(2 * true_positives, 2 * true_positives + mistakes()); }

  static void state(auto& self, auto& visit) {
    visit("true_positives", self.true_positives);
    visit("false_positives", self.false_positives);
    visit("true_negatives", self.true_negatives);
    visit("false_negatives", self.false_negatives);
  }

 private:
  static double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

}  // namespace askfew
