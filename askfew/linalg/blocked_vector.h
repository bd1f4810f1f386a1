#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/linalg/aligned.h"

namespace askfew {

/// The non-zero components of a vector, and the blocks of eight components, 8b, ..., 8b + 7, that contain
/// them. An object that is assigned again stops allocating once it has grown.
class BlockedVector {
 public:
  using Index = FeatureView::Index;
  static constexpr Index block_size = 8;

  void assign(const FeatureView& x) {
    make_room(x.size());
    size_ = blocks_ = 0;
    if (x.is_dense()) {
      assign_dense(x);
    } else {
      assign_sparse(x);
    }
  }

  // The non-zeros: index, value, and position in the list of blocks.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const Index* indices() const { return indices_.data(); }
  [[nodiscard]] const double* nonzeros() const { return nonzeros_.data(); }
  [[nodiscard]] const std::uint32_t* block_of() const { return block_of_.data(); }
  // The blocks, in ascending order, and their values, eight per block.
  [[nodiscard]] std::size_t blocks() const { return blocks_; }
  [[nodiscard]] const Index* block() const { return block_.data(); }
  [[nodiscard]] const double* values() const { return values_.data(); }

 private:
  // One more than the possible number of non-zeros: a zero is written there and then overwritten.
  void make_room(std::size_t components) {
    if (components < indices_.size()) return;
    indices_.resize(components + 1);
    nonzeros_.resize(components + 1);
    block_of_.resize(components + 1);
    block_.resize(components + 1);
    values_.resize((components + 1) * block_size);
  }

  double* begin_block(Index block) {
    block_[blocks_] = block;
    double* values = values_.data() + block_size * blocks_++;
    std::fill_n(values, block_size, 0.0);
    return values;
  }
  void add(Index i, double value) {
    indices_[size_] = i;
    nonzeros_[size_] = value;
    block_of_[size_] = static_cast<std::uint32_t>(blocks_ - 1);
    size_ += value != 0 ? 1 : 0;
  }

  void assign_sparse(const FeatureView& x) {
    double* values = nullptr;
    x.for_each([&](Index i, double value) {
      if (blocks_ == 0 || block_[blocks_ - 1] != i / block_size) values = begin_block(i / block_size);
      values[i % block_size] = value;
      add(i, value);
    });
  }

  // Most blocks of a picture are zero. Within the other blocks branches are unpredictable, so the code has no
  // branch there.
  void assign_dense(const FeatureView& x) {
    const auto size = static_cast<Index>(x.size());
    for (Index begin = 0; begin < size; begin += block_size) {
      const Index count = std::min(block_size, size - begin);
      const double* component = x.values() + begin;
      bool any = false;
      for (Index i = 0; i < count; ++i) any |= component[i] != 0;
      if (!any) continue;
      std::copy_n(component, count, begin_block(begin / block_size));
      for (Index i = 0; i < count; ++i) add(begin + i, component[i]);
    }
  }

  std::size_t size_ = 0;
  std::size_t blocks_ = 0;
  std::vector<Index> indices_;
  std::vector<double> nonzeros_;
  std::vector<std::uint32_t> block_of_;
  std::vector<Index> block_;
  AlignedVector<double> values_;
};

}  // namespace askfew
