#pragma once

#include <vector>

#include "askfew/core/features.h"

namespace askfew {

/// An instance with a constant before its features, which move up by one: a learner of hyperplanes through
/// the origin can then learn an offset.
class ConstantFeature {
 public:
  /// x with the constant; valid until the next call.
  FeatureView before(const FeatureView& x, double constant) {
    const double squared_norm = constant * constant + x.squared_norm();
    values_.assign(1, constant);
    values_.insert(values_.end(), x.values(), x.values() + x.size());
    if (x.is_dense()) return FeatureView::unchecked_dense(values_, squared_norm);
    indices_.assign(1, 0);
    for (std::size_t k = 0; k < x.size(); ++k) indices_.push_back(x.indices()[k] + 1);
    return FeatureView::unchecked_sparse(indices_, values_, squared_norm, x.extent() + 1);
  }

 private:
  std::vector<FeatureView::Index> indices_;
  std::vector<double> values_;
};

}  // namespace askfew
