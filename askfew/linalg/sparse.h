#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/linalg/dense.h"

namespace askfew {

/// w.x, with features beyond the end of w counting as weight 0.
///
/// The order of the additions is fixed (four lanes, then the tail) and no product is fused, so that the same
/// data gives the same bits on every machine.
inline double dot(std::span<const double> w, const FeatureView& x) {
  std::size_t n = x.size();
  if (x.is_dense()) return dense_dot(w.data(), x.values(), std::min(n, w.size()));
  const FeatureView::Index* index = x.indices();
  const double* value = x.values();
  if (x.extent() > w.size()) {  // ascending indices: only the last ones can be out of reach
    n = static_cast<std::size_t>(std::lower_bound(index, index + n, w.size()) - index);
  }
  double lane0 = 0;
  double lane1 = 0;
  double lane2 = 0;
  double lane3 = 0;
  std::size_t k = 0;
  for (; k + 4 <= n; k += 4) {
    lane0 += w[index[k]] * value[k];
    lane1 += w[index[k + 1]] * value[k + 1];
    lane2 += w[index[k + 2]] * value[k + 2];
    lane3 += w[index[k + 3]] * value[k + 3];
  }
  double sum = (lane0 + lane1) + (lane2 + lane3);
  for (; k < n; ++k) sum += w[index[k]] * value[k];
  return sum;
}

/// Makes room for every feature of x. Grows in powers of two, so that a stream allocates O(log d) times.
inline void cover(std::vector<double>& w, const FeatureView& x) {
  if (x.extent() > w.size()) w.resize(x.extent());
}

/// w += a x.
inline void add_scaled(std::vector<double>& w, double a, const FeatureView& x) {
  cover(w, x);
  if (x.is_dense()) {
    dense_add_scaled(w.data(), a, x.values(), x.size());
    return;
  }
  for (std::size_t k = 0; k < x.size(); ++k) w[x.indices()[k]] += a * x.values()[k];
}

}  // namespace askfew
