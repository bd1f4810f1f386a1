#pragma once

#include <span>
#include <string>
#include <vector>

#include "askfew/features/feature_options.h"
#include "askfew/streams/stream_options.h"
#include "askfew/trials/dataset.h"

#include "papers/experiment.h"

namespace askfew {

/// Which digits to read, in the order of the file. Each task has a list of positive digits.
struct DigitsPlan {
  std::vector<std::vector<int>> positive;  ///< one list per task
  std::vector<int> only{};                 ///< rows with other digits are left out; empty: keep all
  std::size_t most = 0;                    ///< at most so many examples; 0: all
  bool normalize = true;
};
/// THROWS: FileError that says which file is missing and how to get it.
Dataset read_mnist(const ExperimentContext& context, const DigitsPlan& plan);
/// Reads the training and the test examples as one stream.
Dataset read_usps(const ExperimentContext& context, const DigitsPlan& plan);

/// Examples with one task per label or topic, from frequent to rare.
struct Topics {
  std::vector<std::string> names;  ///< the label or topic of each task
  Dataset data;
};
/// As many labels, and at most so many examples (0: all), of any files. `twice`: what features learn from
/// instances, such as document frequencies, is known from a first reading of all examples.
Topics read_labels(std::span<const std::string> paths, const StreamOptions& options, std::size_t labels,
                   std::size_t most, bool twice = false);
/// The files of Reuters-21578, unpacked in the folder for work.
std::vector<std::string> unpacked_reuters(const ExperimentContext& context);
/// Stories in the order of their dates.
Topics read_reuters(const ExperimentContext& context, std::size_t topics, const FeatureOptions& features,
                    std::size_t most = 0);
/// The file of subset 1, 2 or 3 of RCV1.
std::vector<std::string> rcv1_files(const ExperimentContext& context, int subset);
/// Reads subset 1, 2 or 3 of RCV1 in the order of the file, with instances of norm 1.
Topics read_rcv1(const ExperimentContext& context, int subset, std::size_t topics, std::size_t most = 0);

}  // namespace askfew
