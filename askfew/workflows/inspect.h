#pragma once

// The command `inspect` as a function.

#include <cstdint>
#include <string>
#include <vector>

#include "askfew/workflows/summary.h"

// Threads: many threads may call this function at the same time.

namespace askfew {

/// A name and its description.
struct NamedText {
  std::string name;
  std::string text;
};

struct TensorSummary {
  std::string name;
  std::string dtype;
  std::vector<std::uint64_t> shape;
};

/// A feature and its weight.
struct NamedWeight {
  std::string name;
  double weight = 0;
};

/// The content of a model.
struct InspectResult {
  ModelSummary summary;
  std::vector<NamedText> features;  ///< options that differ from the defaults, and what was seen
  std::vector<NamedText> columns;   ///< columns of the tables that the model reads, with their kinds
  InputSummary input;               ///< what the model reads
  std::vector<std::string> labels;  ///< the names of the labels; of a task of two, the positive one first
  std::vector<NamedWeight> weights_for;      ///< the heaviest words or features for the positive label
  std::vector<NamedWeight> weights_against;  ///< and against it; both of a single task
  bool names_are_hashed = false;             ///< the words are not known
  std::vector<TensorSummary> tensors;
};

/// Reads a model file. THROWS: FileError, ModelError.
InspectResult inspect(const std::string& path);

}  // namespace askfew
