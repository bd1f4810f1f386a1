#pragma once

// The inner loops of the online scaler: count, scale and sum up the features of an instance in one pass.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "askfew/composed/feature_record.h"

namespace askfew {

/// The largest scaled value, before idf.
inline constexpr double largest_scaled = 5;
/// The largest count that makes a difference to `damping`.
inline constexpr double most_damped = 255;

/// What a feature that so many instances have is multiplied by.
inline double damping(double count, double rare) {
  const double a = std::min(count, most_damped);
  return a / (std::max(a, 1.0) + rare);
}

/// How features that are not centred are scaled in a round; see OnlineScaler.
struct Scaling {
  double factor = 1;
  double own = 0;   ///< a feature's own part of its size, in quarters from 0 to 1
  double most = 1;  ///< 1 + idf ln(1 + rounds)
  double idf = 1;
  double rare = 0;
};

/// Of the scaled values z_i, with the weights and variances of their records.
struct ScaledSums {
  double squares = 0;  ///< of z_i
  double margin = 0;   ///< of w_i z_i
  double spread = 0;   ///< of V_i z_i^2
};

/// Scales n values in one pass; indices[k] is the place of the k-th record. The first record is that of the
/// constant, which is not among them. Each sum is added up in the order of the features, so that the result
/// has the same bits on every machine.
ScaledSums scale_values(const FeatureRecord* records, const std::uint32_t* indices, const double* given,
                        std::size_t n, const Scaling& scaling, double* scaled);
/// The same, and counts every value in its record before it is scaled.
ScaledSums count_and_scale_values(FeatureRecord* records, const std::uint32_t* indices, const double* given,
                                  std::size_t n, const Scaling& scaling, double* scaled);

/// to[k] = from[k] + 1.
void add_one(const std::uint32_t* from, std::size_t n, std::uint32_t* to);

}  // namespace askfew
