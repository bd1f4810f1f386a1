#pragma once

// Runs of a sampler with everything observed that the papers' bounds need.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "askfew/catalog/catalog.h"
#include "askfew/theory/hinge_curve.h"
#include "askfew/trials/rows.h"

namespace askfew {

/// Runs of a sampler over one stream, each with its own coins.
struct ObservedRuns {
  // One number per run.
  std::vector<double> mistakes;
  std::vector<double> asked;
  std::vector<double> expected_asked;
  std::vector<double> log_determinants;
  std::vector<double> informations;
  std::vector<std::size_t> update_ends;  ///< the number of `updates` after each run

  // Means over the runs.
  double log_determinant = 0;  ///< sum of ln(1 + r) over the updates, r the spread: ln |A| of second-order
  double information = 0;      ///< sum of r/(1 + r) over the updates: the sum of x_k'D_k^-1 x_k of lasec

  std::vector<std::uint32_t> updates;  ///< the rows of all updates of all runs
};

/// Uses the seeds setting.key.seed and up, one per run. Every margin and probability is computed exactly.
/// `continues`, if given, is called after each run with the number of runs so far; false: there are no
/// further runs. REQUIRES: at least one run. THROWS: ConfigError, NumericError, MemoryError.
ObservedRuns observe_runs(const SamplerConfig& config, Setting setting, const LabelledRows& rows,
                          std::uint64_t runs, const std::function<bool(std::uint64_t)>& continues = {});

/// The runs but those from `first` to before `end`. REQUIRES: a run is left.
ObservedRuns without(const ObservedRuns& all, std::size_t first, std::size_t end);

/// The facts about a stream that bounds need.
struct StreamShape {
  double longest = 0;            ///< the largest |x|
  double shortest = 0;           ///< the smallest |x| that is not 0
  double largest_component = 0;  ///< the largest |x_i|
  double dimension = 0;          ///< number of features
};
StreamShape shape_of(const LabelledRows& rows, FeatureView::Index dimension);

/// The results of a comparator u on a stream, and on the updates of runs over the stream.
struct ComparatorOnStream {
  /// u may be any vector: fitted, or the vector that made the labels. Features beyond its end have weight 0.
  ComparatorOnStream(std::span<const double> u, const LabelledRows& rows, const ObservedRuns& runs);

  double norm = 0;        ///< |u|
  double sum = 0;         ///< sum of the |u_i|
  HingeCurve rounds;      ///< over all rounds
  HingeCurve updates;     ///< over the updates, mean over the runs
  std::size_t wrong = 0;  ///< number of rounds that u gets wrong

 private:
  ComparatorOnStream(std::span<const double> u, const std::vector<double>& margins, const ObservedRuns& runs);
};

}  // namespace askfew
