#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "askfew/core/features.h"

namespace askfew {

/// The indices of sparse instances, as a cache writes them: of each, how many lie between it and the one
/// before. So they ascend, whatever the bytes are.
struct CodedIndices {
  std::uint16_t width = 1;  ///< bytes a gap: 1, 2 or 4
  std::string bytes;
};

/// `sizes` says how many belong to an instance. REQUIRES: they ascend in each.
CodedIndices encode_indices(std::span<const FeatureView::Index> indices,
                            std::span<const std::uint32_t> sizes);

/// Writes the indices of one instance, which gaps of so many bytes stand for. Returns one past the last
/// index; as long as that fits, all of them did.
template <class Gap>
std::uint64_t decode_indices(const char* gaps, std::span<FeatureView::Index> indices);

}  // namespace askfew
