#pragma once

// Probabilities from margins: Platt scaling on the labels that were asked.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "askfew/core/label.h"

namespace askfew {

/// A probability as a function of the margin: 1/(1 + exp(-(slope margin + offset))).
struct PlattCurve {
  double slope = 0;
  double offset = 0;

  [[nodiscard]] double at(double margin) const;
};

/// Turns margins into probabilities with the labels that were asked (Platt 1999, fitted as in Lin, Lin and
/// Weng 2007). Each label counts with its margin when it was asked, so that the learner had not seen it, and
/// with the weight 1/(probability of asking), so that rules that ask for small margins do not bend the curve.
/// Only the last labels are kept: earlier margins are of a learner that knew less.
class Calibration {
 public:
  static constexpr std::size_t max_kept = 300;
  static constexpr std::size_t min_labels = 20;  ///< fewer labels give no curve
  static constexpr std::size_t min_of_each = 5;  ///< positive and negative labels
  static constexpr double min_effective = 10;    ///< (sum of weights)^2 / sum of squared weights

  /// An asked label. `chance`: the probability with which it was asked. Labels without a probability and
  /// margins that are not finite are left out.
  void add(double margin, Label y, double chance) {
    if (!(chance > 0) || !std::isfinite(margin)) return;
    const double weight = 1 / chance;
    if (!std::isfinite(weight)) return;
    add(1, [&] { return Kept{.margin = margin, .weight = sign(y) * weight}; });
  }
  /// A label that counts, as `add` keeps it.
  struct Kept {
    double margin = 0;
    double weight = 0;  ///< 1/chance; negative for a negative label
  };
  /// Adds n labels, in the order in which next() gives them. REQUIRES: finite numbers.
  template <class Next>
  void add(std::size_t n, const Next& next) {
    for (; n > 0 && kept_.size() < max_kept; --n) kept_.push_back(next());
    Kept* const kept = kept_.data();
    std::size_t at = oldest_;
    for (; n > 0; --n) {
      kept[at] = next();
      at = at + 1 == max_kept ? 0 : at + 1;
    }
    oldest_ = at;
  }

  /// Nothing if there are too few labels.
  [[nodiscard]] std::optional<PlattCurve> curve() const;
  /// The numbers of kept labels.
  [[nodiscard]] std::size_t labels() const { return kept_.size(); }
  [[nodiscard]] std::size_t positives() const;

  // For snapshots: margin and signed weight of every kept label, the oldest first.
  [[nodiscard]] std::vector<double> values() const;
  /// THROWS: ModelError for values that `values` cannot return.
  void set_values(const std::vector<double>& values);

 private:
  std::vector<Kept> kept_;
  std::size_t oldest_ = 0;  // the place that the next label takes if all places are taken
};

}  // namespace askfew
