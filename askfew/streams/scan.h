#pragma once

// A first pass over a stream: its labels and its number of features.

#include <map>
#include <vector>

#include "askfew/streams/stream.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// The results of a first pass over a stream.
struct Scan {
  std::uint64_t examples = 0;
  FeatureView::Index dimension = 0;                   ///< one past the largest feature
  std::map<Examples::LabelId, std::uint64_t> labels;  ///< number of examples per label
  std::vector<Examples::LabelId> order;               ///< the labels as they came first
};

/// `memory`, if not null, counts the labels. THROWS: MemoryError.
tl::expected<Scan, ParseError> scan(Stream& stream, const std::shared_ptr<MemoryLimit>& memory = nullptr);

}  // namespace askfew
