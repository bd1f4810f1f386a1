#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "askfew/workflows/summary.h"

// Threads: many threads may call this function at the same time.

namespace askfew {

/// A name, and what is to be said of it.
struct NamedText {
  std::string name;
  std::string text;
};

struct TensorSummary {
  std::string name;
  std::string dtype;
  std::vector<std::uint64_t> shape;
};

/// What is in a model.
struct InspectResult {
  ModelSummary summary;
  std::vector<NamedText> features;  ///< options that are not as usual, and what was seen
  std::vector<NamedText> columns;   ///< of the tables that it reads, with their kinds
  std::vector<TensorSummary> tensors;
};

/// Of a model file. THROWS: FileError, ModelError.
InspectResult inspect(const std::string& path);

}  // namespace askfew
