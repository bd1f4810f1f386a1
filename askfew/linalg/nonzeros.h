#pragma once

#include <span>
#include <vector>

#include "askfew/core/features.h"

namespace askfew {

/// The non-zero components of a vector as a sparse view, in memory that is used again and again.
class Nonzeros {
 public:
  /// A sparse instance is returned as it is; the view is valid until the next call.
  FeatureView of(const FeatureView& x) {
    if (!x.is_dense()) return x;
    indices_.clear();
    values_.clear();
    x.for_each([&](FeatureView::Index i, double value) {
      indices_.push_back(i);
      values_.push_back(value);
    });
    return FeatureView::sparse(indices_, values_, x.squared_norm());
  }

 private:
  std::vector<FeatureView::Index> indices_;
  std::vector<double> values_;
};

}  // namespace askfew
