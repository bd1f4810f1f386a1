#pragma once

namespace askfew {

/// What the scaler knows about a feature, and beside it what the learner knows: they are needed together, and
/// share a cache line.
struct alignas(32) FeatureRecord {
  double count = 0;    ///< instances that have it
  double squares = 0;  ///< sum of x^2
  double weight = 0;
  double variance = 0;
  bool operator==(const FeatureRecord&) const = default;
};

}  // namespace askfew
