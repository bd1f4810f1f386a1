#pragma once

#include <optional>
#include <span>
#include <vector>

#include "askfew/trials/trial.h"

namespace askfew {

/// The error on held-out rows from so many labels on, until the next point.
struct HeldOutPoint {
  std::uint64_t labels = 0;
  double error = 0;
};

/// How the error on held-out rows falls with the labels that a sampler asks for.
struct HeldOutCurve {
  std::vector<HeldOutPoint> points;  ///< before the first label, and after each one that changed the learner
  std::uint64_t asked = 0;           ///< labels in all

  /// The fewest labels after which the error was at most this; none if it never was.
  [[nodiscard]] std::optional<std::uint64_t> labels_to_reach(double error) const;
  /// After so many labels; the last one if fewer were asked for.
  [[nodiscard]] double error_after(std::uint64_t labels) const;
};

/// A run ends early once both of these are reached.
struct HeldOutEnd {
  double error = 0;
  std::uint64_t labels = 0;
};

/// Runs a sampler over rows of the data, in this order, and measures the error of its predictions on the
/// held-out rows whenever the learner has changed. THROWS: as `run_trial`.
HeldOutCurve held_out_curve(const Dataset& data, std::span<const std::uint32_t> rows,
                            std::span<const std::uint32_t> held_out, const Trial& trial,
                            const HeldOutEnd& end);

/// Rows in a row, cut into folds: part `fold` of `folds` is held out, the others are to learn from.
struct Fold {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> held_out;
};
/// Folds differ in size by one at most. REQUIRES: fold < folds.
Fold fold_of(std::span<const std::uint32_t> rows, std::size_t fold, std::size_t folds);

}  // namespace askfew
