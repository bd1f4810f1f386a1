#pragma once

#include <cstddef>
#include <span>

#include "askfew/core/features.h"
#include "askfew/linalg/aligned.h"
#include "askfew/linalg/panels.h"

namespace askfew {

/// Supports as dense rows in wide panels (askfew/linalg/panels.h).
template <class T>
class PanelRows {
 public:
  using Index = FeatureView::Index;

  /// Features 0, ..., extent - 1 may be non-zero in some row.
  [[nodiscard]] std::size_t extent() const { return extent_; }
  [[nodiscard]] std::size_t depth() const { return depth_; }
  static std::size_t bytes(std::size_t capacity, std::size_t depth) { return capacity * depth * sizeof(T); }

  /// Makes room for rows [0, capacity) with `depth` features. REQUIRES: neither is smaller than now; capacity
  /// is a multiple of wide_rows.
  void resize(std::size_t capacity, std::size_t depth);
  /// REQUIRES: x.extent() <= depth().
  void set(std::size_t slot, const FeatureView& x);
  /// Row `from` replaces row `to`; afterwards the content of row `from` is undefined.
  void move(std::size_t from, std::size_t to);
  /// Calls f(index, value) for every feature of a row that is not 0, in ascending order.
  template <class F>
  void for_each(std::size_t slot, F&& f) const {
    const T* const row = first(slot);
    for (std::size_t i = 0; i < extent_; ++i) {
      if (const T value = row[i * wide_rows<T>]; value != 0) f(static_cast<Index>(i), value);
    }
  }

  /// `count` panels from panel `first` on, for products with at most extent() features.
  [[nodiscard]] WidePanels<T> panels(std::size_t first, std::size_t count) const {
    return {panels_.data() + first * stride(), count, stride()};
  }

 private:
  [[nodiscard]] std::size_t stride() const { return depth_ * wide_rows<T>; }
  // Zero vectors have no stored numbers, and none are read.
  [[nodiscard]] const T* first(std::size_t slot) const {
    return panels_.empty() ? nullptr : panels_.data() + slot / wide_rows<T> * stride() + slot % wide_rows<T>;
  }
  [[nodiscard]] T* first(std::size_t slot) {
    return panels_.empty() ? nullptr : panels_.data() + slot / wide_rows<T> * stride() + slot % wide_rows<T>;
  }

  AlignedVector<T> panels_;
  std::size_t depth_ = 0;
  std::size_t extent_ = 0;
};

}  // namespace askfew
