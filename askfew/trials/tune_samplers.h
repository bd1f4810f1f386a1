#pragma once

// Tries a grid of parameters of a sampler.

#include <string>
#include <vector>

#include "askfew/trials/compare_samplers.h"

namespace askfew {

/// A parameter and the values to try, as texts: `b`, `learner.a`, ...
struct GridAxis {
  std::string param;
  std::vector<std::string> values;
};
/// `b=0.1,1,10`. THROWS: ConfigError.
GridAxis parse_axis(const std::string& text);

/// A preset with every combination of the grid's values; the last axis changes fastest. THROWS: ConfigError.
std::vector<NamedSampler> grid_of(const std::string& preset, const std::vector<GridAxis>& axes);

/// The default grid: five powers of ten around the default of every positive parameter of the learner. The
/// budget steers the scale of the rule.
std::vector<GridAxis> usual_grid(const std::string& preset);

struct TunePlan {
  std::vector<NamedSampler> candidates;
  double rate = 1;          ///< the share of labels that every candidate may ask
  std::size_t holdout = 0;  ///< number of examples from the beginning to use; 0: all
  std::size_t runs = 3;
  std::uint64_t seed = 1;
};

struct Tuned {
  NamedSampler sampler;
  std::string failure;  ///< as in ComparePoint
  Sample share;
  Sample f1;
  Sample accuracy;

  [[nodiscard]] bool fails() const { return !failure.empty(); }
};

/// The results of every candidate on the first examples, in the plan's order. THROWS: as `compare_samplers`.
std::vector<Tuned> tune_samplers(const Dataset& data, const TunePlan& plan, const JobsOptions& options);

}  // namespace askfew
