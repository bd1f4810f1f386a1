#pragma once

// Means over runs with their intervals, and rank correlations.

#include <span>

namespace askfew {

/// The results of several runs.
struct Sample {
  double mean = 0;
  double deviation = 0;       ///< standard deviation of a run, with n-1; 0 for a single run
  double standard_error = 0;  ///< of the mean; 0 for a single run
  double half_width = 0;      ///< of the 95% interval around the mean, by Student's t; 0 for a single run
};
Sample sample_of(std::span<const double> values);

/// Spearman's rank correlation; equal values have their mean rank; 0 if all values are equal. REQUIRES: x and
/// y have the same size.
double rank_correlation(std::span<const double> x, std::span<const double> y);

}  // namespace askfew
