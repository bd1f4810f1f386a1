#pragma once

#include <vector>

#include "askfew/trials/held_out.h"

#include "papers/experiment.h"
#include "papers/monteleoni_2007/paper.h"

namespace askfew::monteleoni_2007 {

/// The size of the experiment.
struct Sizes {
  std::size_t tuning_examples = 2000;  ///< used for tuning alone
  std::size_t examples = 10000;
  std::size_t folds = 10;
  std::size_t runs = 5;  ///< each run shuffles the examples
};
Sizes sizes_of(const ExperimentContext& context);

struct Digits {
  Dataset mnist;
  Dataset usps;
};
/// THROWS: FileError.
Digits read_digits(const ExperimentContext& context);

struct Problem {
  const ProblemInPaper* paper = nullptr;
  const Dataset* data = nullptr;  ///< contains the examples of the problem
  std::size_t task = 0;
  std::vector<std::uint32_t> tuning;  ///< rows for tuning
  std::vector<std::uint32_t> rows;    ///< other rows, for the results
};
/// The seed chooses the rows of each problem. REQUIRES: the digits outlive the problems.
std::vector<Problem> problems_of(const Digits& digits, const Sizes& sizes, std::uint64_t seed);

/// A fold of a run, and the seed of its coins.
struct Round {
  std::uint64_t seed = 1;
  std::size_t run = 0;
  std::size_t fold = 0;
  std::size_t folds = 0;
};
/// Learns from all rows but the fold, in the order of the run, and measures the error on the fold.
HeldOutCurve curve_of(const Problem& problem, std::span<const std::uint32_t> rows,
                      const SamplerConfig& sampler, const Round& round, const HeldOutEnd& end);

}  // namespace askfew::monteleoni_2007
