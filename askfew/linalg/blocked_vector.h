#pragma once

#include <cstdint>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/linalg/aligned.h"

namespace askfew {

/// A sparse vector as the blocks of eight components, 8b, ..., 8b + 7, that hold its non-zeros.
struct BlockedVector {
  static constexpr FeatureView::Index block_size = 8;

  std::vector<FeatureView::Index> indices;  ///< of the non-zeros
  std::vector<double> nonzeros;
  std::vector<std::uint32_t> block_of;     ///< where in `blocks` each of them is
  std::vector<FeatureView::Index> blocks;  ///< ascending
  AlignedVector<double> values;            ///< of the blocks, eight each

  /// REQUIRES: x sparse.
  void assign(const FeatureView& x) {
    indices.clear();
    nonzeros.clear();
    block_of.clear();
    blocks.clear();
    values.clear();
    x.for_each([&](FeatureView::Index i, double value) {
      if (blocks.empty() || blocks.back() != i / block_size) {
        blocks.push_back(i / block_size);
        values.resize(values.size() + block_size);
      }
      values[values.size() - block_size + i % block_size] = value;
      indices.push_back(i);
      nonzeros.push_back(value);
      block_of.push_back(static_cast<std::uint32_t>(blocks.size() - 1));
    });
  }
};

}  // namespace askfew
