#pragma once

#include <span>

namespace askfew {

/// What several runs gave.
struct Sample {
  double mean = 0;
  double deviation = 0;       ///< of one run, with n-1; 0 for a single one
  double standard_error = 0;  ///< of the mean; 0 for a single run
  double half_width = 0;      ///< of the 95% interval around the mean, by Student's t; 0 for a single run
};
Sample sample_of(std::span<const double> values);

/// Spearman's: the correlation of the ranks, equal values having their mean rank; 0 where all are equal.
/// REQUIRES: as many of both.
double rank_correlation(std::span<const double> x, std::span<const double> y);

}  // namespace askfew
