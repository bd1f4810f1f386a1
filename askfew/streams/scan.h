#pragma once

#include <map>

#include "askfew/streams/stream.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// What a first pass over a stream finds out.
struct Scan {
  std::uint64_t examples = 0;
  FeatureView::Index dimension = 0;                   ///< one past the largest feature
  std::map<Examples::LabelId, std::uint64_t> labels;  ///< and how many examples have each
};

/// The labels are counted in `memory`, if it is not null. THROWS: MemoryError.
tl::expected<Scan, ParseError> scan(Stream& stream, const std::shared_ptr<MemoryLimit>& memory = nullptr);

}  // namespace askfew
