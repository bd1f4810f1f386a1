#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "askfew/core/features.h"

namespace askfew {

/// The indices of sparse instances as stored in a cache: for each index, the gap from the index before. So
/// indices ascend for any bytes.
struct CodedIndices {
  std::uint16_t width = 1;  ///< bytes per gap: 1, 2 or 4
  std::string bytes;
};

/// `sizes` has the number of indices per instance. REQUIRES: the indices of each instance ascend.
CodedIndices encode_indices(std::span<const FeatureView::Index> indices,
                            std::span<const std::uint32_t> sizes);

/// Writes the indices of one instance from its gaps. Returns one past the last index; if that number fits,
/// all indices fit.
template <class Gap>
std::uint64_t decode_indices(const char* gaps, std::span<FeatureView::Index> indices);

}  // namespace askfew
