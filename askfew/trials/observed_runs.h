#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "askfew/catalog/catalog.h"
#include "askfew/theory/hinge_curve.h"
#include "askfew/trials/rows.h"

namespace askfew {

/// Runs of a sampler over one stream, each with coins of its own.
struct ObservedRuns {
  // A number a run.
  std::vector<double> mistakes;
  std::vector<double> asked;
  std::vector<double> expected_asked;

  // Means over the runs.
  double log_determinant = 0;  ///< sum of ln(1 + r) over the updates, r the spread: ln |A| of second-order
  double information = 0;      ///< sum of r/(1 + r) over the updates: the sum of x_k'D_k^-1 x_k of lasec

  std::vector<std::uint32_t> updates;  ///< the rows of all updates of all runs
};

/// Seeds setting.key.seed and up, one a run. Every margin and probability is computed exactly.
/// REQUIRES: at least one run. THROWS: ConfigError, NumericError, MemoryError.
ObservedRuns observe_runs(const SamplerConfig& config, Setting setting, const LabelledRows& rows,
                          std::uint64_t runs);

/// What bounds know of a stream.
struct StreamShape {
  double longest = 0;            ///< the largest |x|
  double shortest = 0;           ///< the smallest |x| that is not 0
  double largest_component = 0;  ///< the largest |x_i|
  double dimension = 0;          ///< features
};
StreamShape shape_of(const LabelledRows& rows, FeatureView::Index dimension);

/// How a comparator u did on a stream, and on the updates of runs over it.
struct ComparatorOnStream {
  /// u may be any vector: fitted, or the one that made the labels. Features beyond its end have weight 0.
  ComparatorOnStream(std::span<const double> u, const LabelledRows& rows, const ObservedRuns& runs);

  double norm = 0;        ///< |u|
  double sum = 0;         ///< of the |u_i|
  HingeCurve rounds;      ///< of all rounds
  HingeCurve updates;     ///< of the updates, the mean over the runs
  std::size_t wrong = 0;  ///< rounds that u gets wrong

 private:
  ComparatorOnStream(std::span<const double> u, const std::vector<double>& margins, const ObservedRuns& runs);
};

}  // namespace askfew
