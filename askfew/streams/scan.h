#pragma once

#include <set>

#include "askfew/streams/stream.h"

namespace askfew {

/// What a first pass over a stream finds out.
struct Scan {
  std::uint64_t examples = 0;
  FeatureView::Index dimension = 0;  ///< one past the largest feature
  std::set<Examples::LabelId> labels;
};

tl::expected<Scan, ParseError> scan(Stream& stream);

}  // namespace askfew
