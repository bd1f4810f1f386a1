#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "askfew/core/expects.h"

namespace askfew {

/// One instance x, not owned: either sparse (ascending indices and their values) or dense (values of features
/// 0, 1, 2, ...). The squared norm is computed once, where the instance is made, because learners and rules
/// of every task need it. Many threads may read a view while no thread changes the underlying data.
class FeatureView {
 public:
  using Index = std::uint32_t;

  FeatureView() = default;

  // The usual constructors check everything. THROWS: DataError with the place of the first fault.

  /// REQUIRES: as many indices as values; strictly ascending indices below 2^32 - 1; finite values.
  static FeatureView sparse(std::span<const Index> indices, std::span<const double> values);
  /// REQUIRES: finite values, fewer than 2^32 of them.
  static FeatureView dense(std::span<const double> values);

  // For data that was checked when it was read. Input that `sparse` and `dense` would refuse is undefined
  // behaviour here.

  static FeatureView unchecked_sparse(std::span<const Index> indices, std::span<const double> values) {
    return unchecked_sparse(indices, values, sum_of_squares(values));
  }
  static FeatureView unchecked_sparse(std::span<const Index> indices, std::span<const double> values,
                                      double squared_norm) {
    return unchecked_sparse(indices, values, squared_norm, indices.empty() ? 0 : indices.back() + 1);
  }
  static FeatureView unchecked_sparse(std::span<const Index> indices, std::span<const double> values,
                                      double squared_norm, Index extent) {
    EXPECTS(indices.size() == values.size());
    FeatureView x;
    x.indices_ = indices.data();
    x.values_ = values.data();
    x.size_ = values.size();
    x.extent_ = extent;
    x.squared_norm_ = squared_norm;
    return x;
  }
  static FeatureView unchecked_dense(std::span<const double> values) {
    return unchecked_dense(values, sum_of_squares(values));
  }
  static FeatureView unchecked_dense(std::span<const double> values, double squared_norm) {
    FeatureView x;
    x.values_ = values.data();
    x.size_ = values.size();
    x.extent_ = static_cast<Index>(values.size());
    x.squared_norm_ = squared_norm;
    x.dense_ = true;
    return x;
  }

  [[nodiscard]] bool is_dense() const { return dense_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const Index* indices() const { return indices_; }
  [[nodiscard]] const double* values() const { return values_; }
  /// One past the largest index that may be non-zero.
  [[nodiscard]] Index extent() const { return extent_; }
  [[nodiscard]] double squared_norm() const { return squared_norm_; }

  /// Calls f(index, value) for every feature that may be non-zero, in ascending order.
  template <class F>
  void for_each(F&& f) const {
    if (dense_) {
      for (std::size_t i = 0; i < size_; ++i) {
        if (values_[i] != 0) f(static_cast<Index>(i), values_[i]);
      }
    } else {
      for (std::size_t k = 0; k < size_; ++k) f(indices_[k], values_[k]);
    }
  }

  static double sum_of_squares(std::span<const double> values) {
    double sum = 0;
    for (const double v : values) sum += v * v;
    return sum;
  }

 private:
  const Index* indices_ = nullptr;
  const double* values_ = nullptr;
  std::size_t size_ = 0;
  double squared_norm_ = 0;
  Index extent_ = 0;
  bool dense_ = false;
};

}  // namespace askfew
