#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "askfew/core/features.h"

namespace askfew {

/// Supports as sparse rows, for more features than panels can have. A row is a list of chunks of `chunk_size`
/// features; free chunks are reused.
template <class T>
class SparseRows {
 public:
  using Index = FeatureView::Index;
  static constexpr std::size_t chunk_size = 16;

  /// The memory of the rows with one more row of n features.
  [[nodiscard]] std::size_t bytes_with(std::size_t n) const;
  void resize(std::size_t rows);
  void set(std::size_t slot, const FeatureView& x);
  /// Row `from` replaces row `to`; afterwards the content of row `from` is undefined.
  void move(std::size_t from, std::size_t to);
  /// Calls f(index, value) for every feature of a row that is not 0, in ascending order.
  template <class F>
  void for_each(std::size_t slot, F&& f) const {
    std::size_t left = lengths_[slot];
    for (std::uint32_t chunk = first_[slot]; left > 0; chunk = next_[chunk]) {
      const std::size_t count = left < chunk_size ? left : chunk_size;
      for (std::size_t k = 0; k < count; ++k)
        f(indices_[chunk * chunk_size + k], values_[chunk * chunk_size + k]);
      left -= count;
    }
  }

  /// products[s] = x . row s, with x as a dense array: x_i is spread[i], 0 from `extent` on.
  void multiply(const T* spread, std::size_t extent, std::size_t rows, T* products) const;

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  void clear(std::size_t slot);
  void append(std::size_t slot, std::uint32_t& last, Index index, T value);
  std::uint32_t take_chunk();

  std::vector<std::uint32_t> first_;    // first chunk of each row
  std::vector<std::uint32_t> lengths_;  // number of features of each row
  std::vector<std::uint32_t> next_;     // the next chunk after each chunk
  std::vector<Index> indices_;
  std::vector<T> values_;
  std::uint32_t free_ = none;
};

/// The arguments for a product with all rows, for the loop that is compiled for every target.
template <class T>
struct SparseProduct {
  const std::uint32_t* first;
  const std::uint32_t* lengths;
  const std::uint32_t* next;
  const FeatureView::Index* indices;
  const T* values;
  const T* spread;
  std::size_t extent;
  std::size_t rows;
  T* products;
};

}  // namespace askfew
