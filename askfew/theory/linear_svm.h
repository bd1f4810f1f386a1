#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/core/label.h"

namespace askfew {

struct LinearSvmOptions {
  double c = 1;                     ///< cost of a unit of hinge loss, in units of |w|^2 / 2
  double tolerance = 1e-3;          ///< the largest acceptable duality gap, as a share of the objective
  std::uint64_t max_epochs = 1000;  ///< most passes over the examples, even if the gap is larger
  std::uint64_t seed = 1;           ///< seed for the order of the examples, which changes with each pass
};

/// A linear support vector machine without a bias: w minimises |w|^2/2 + c sum of (1 - y w.x)+.
struct LinearSvm {
  std::vector<double> w;
  double objective = 0;  ///< at w
  double gap = 0;        ///< the objective exceeds its minimum by at most this
  std::uint64_t epochs = 0;
};

/// Dual coordinate descent (Hsieh, Chang, Lin, Keerthi, Sundararajan 2008, Algorithm 1): handles one example
/// at a time, in random order, and gives it its best weight a in [0, c] of y x in w. The same seed gives the
/// same w. REQUIRES: as many labels as instances.
LinearSvm fit_linear_svm(std::span<const FeatureView> x, std::span<const Label> y,
                         const LinearSvmOptions& options);

}  // namespace askfew
