#pragma once

// The error on held-out data as a function of the labels asked.

#include <optional>
#include <span>
#include <vector>

#include "askfew/trials/trial.h"

namespace askfew {

/// The error on held-out rows after so many labels, up to the next point.
struct HeldOutPoint {
  std::uint64_t labels = 0;
  double error = 0;
};

/// The error on held-out rows as a function of the labels that a sampler asked.
struct HeldOutCurve {
  std::vector<HeldOutPoint> points;  ///< before the first label, and after each label that changed the
                                     ///< learner
  std::uint64_t asked = 0;           ///< labels in total

  /// The fewest labels after which the error was at most this; nothing if it never was.
  [[nodiscard]] std::optional<std::uint64_t> labels_to_reach(double error) const;
  /// The error after so many labels; the last error if fewer were asked.
  [[nodiscard]] double error_after(std::uint64_t labels) const;
};

/// A run ends early when both limits are reached.
struct HeldOutEnd {
  double error = 0;
  std::uint64_t labels = 0;
};

/// Runs a sampler over rows of the data, in this order, and measures the error on the held-out rows whenever
/// the learner has changed. THROWS: as `run_trial`.
HeldOutCurve held_out_curve(const Dataset& data, std::span<const std::uint32_t> rows,
                            std::span<const std::uint32_t> held_out, const Trial& trial,
                            const HeldOutEnd& end);

/// Consecutive rows, cut into folds: part `fold` of `folds` is held out; the learner learns from the others.
struct Fold {
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> held_out;
};
/// The sizes of folds differ by at most one. REQUIRES: fold < folds.
Fold fold_of(std::span<const std::uint32_t> rows, std::size_t fold, std::size_t folds);

}  // namespace askfew
