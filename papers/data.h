#pragma once

#include <string>
#include <vector>

#include "askfew/features/feature_options.h"
#include "askfew/trials/dataset.h"

#include "papers/experiment.h"

namespace askfew {

/// Digits: all examples, in the order of the file. Tasks are the lists of classes that are positive; rows
/// can be left out by `only`.
struct DigitsPlan {
  std::vector<std::vector<int>> positive;  ///< a task each
  std::vector<int> only{};                 ///< digits that are kept; empty: all
  std::size_t most = 0;                    ///< examples that are kept; 0: all
  bool normalize = true;
};
/// THROWS: FileError that names what is missing and how to get it.
Dataset read_mnist(const ExperimentContext& context, const DigitsPlan& plan);
/// Training and test examples together.
Dataset read_usps(const ExperimentContext& context, const DigitsPlan& plan);

/// Stories with their topics, the most frequent first, in the order of their dates.
struct Topics {
  std::vector<std::string> names;  ///< of the tasks
  Dataset data;
};
Topics read_reuters(const ExperimentContext& context, std::size_t topics, const FeatureOptions& features,
                    std::size_t most = 0);
/// Subset 1, 2 or 3 of RCV1, in the order of the file; unit norms.
Topics read_rcv1(const ExperimentContext& context, int subset, std::size_t topics, std::size_t most = 0);

}  // namespace askfew
