#pragma once

#include <vector>

#include "askfew/core/features.h"

namespace askfew {

/// x with a constant before its features, which move up by one: a learner through the origin can then be
/// anywhere. The view is valid until the thread's next call.
inline FeatureView with_constant(const FeatureView& x, double constant) {
  thread_local std::vector<FeatureView::Index> indices;
  thread_local std::vector<double> values;
  const double squared_norm = constant * constant + x.squared_norm();
  values.assign(1, constant);
  values.insert(values.end(), x.values(), x.values() + x.size());
  if (x.is_dense()) return FeatureView::dense(values, squared_norm);
  indices.assign(1, 0);
  for (std::size_t k = 0; k < x.size(); ++k) indices.push_back(x.indices()[k] + 1);
  return FeatureView::sparse(indices, values, squared_norm, x.extent() + 1);
}

}  // namespace askfew
