#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include "askfew/core/expects.h"
#include "askfew/core/features.h"
#include "askfew/linalg/dense.h"
#include "askfew/linalg/update_size.h"

namespace askfew {

/// The sum of w[index[k]] value[k].
///
/// The order of the additions is fixed (four lanes, then the tail) and no product is fused, so that the same
/// data gives the same bits on every machine.
inline double gather_dot(const double* w, const FeatureView::Index* index, const double* value,
                         std::size_t n) {
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

/// The sum of product(k) over the first `known` of n places, in the order of a sum over all n places whose
/// other products are 0: in lanes, then the tail. So a shorter w gives the same bits as a longer w with
/// zeros.
template <std::size_t lanes, class Product>
double sum_in_lanes(std::size_t n, std::size_t known, Product&& product) {
  std::array<double, lanes> lane{};
  const std::size_t in_lanes = n - n % lanes;
  for (std::size_t k = 0; k < std::min(known, in_lanes); ++k) lane[k % lanes] += product(k);
  for (std::size_t apart = 1; apart < lanes; apart *= 2) {
    for (std::size_t l = 0; l < lanes; l += 2 * apart) lane[l] += lane[l + apart];
  }
  double sum = lane[0];
  for (std::size_t k = in_lanes; k < known; ++k) sum += product(k);
  return sum;
}
constexpr std::size_t sparse_lanes = 4;
constexpr std::size_t dense_lanes = 8;

/// The number of features of a sparse x below `size`. Indices ascend, so only the last features can be
/// beyond.
inline std::size_t features_below(const FeatureView& x, std::size_t size) {
  if (x.extent() <= size) return x.size();
  return static_cast<std::size_t>(std::lower_bound(x.indices(), x.indices() + x.size(), size) - x.indices());
}

/// x without its features from `size` on.
inline FeatureView first_features(const FeatureView& x, std::size_t size) {
  if (x.extent() <= size) return x;
  if (x.is_dense()) return FeatureView::unchecked_dense({x.values(), size});
  const std::size_t known = features_below(x, size);
  return FeatureView::unchecked_sparse({x.indices(), known}, {x.values(), known});
}

/// The largest |x_i|.
inline double largest_magnitude(const FeatureView& x) {
  double most = 0;
  for (std::size_t k = 0; k < x.size(); ++k) most = std::max(most, std::abs(x.values()[k]));
  return most;
}

/// The weights of one task among those of other tasks.
template <class Weights>
concept HasPlace = requires(const Weights& w) {
  { w.place() } -> std::same_as<std::size_t>;
};

/// w.x; features beyond the end of w have weight 0.
inline double dot(std::span<const double> w, const FeatureView& x) {
  const double* value = x.values();
  if (x.is_dense()) {
    if (x.size() <= w.size()) return dense_dot(w.data(), value, x.size());
    return sum_in_lanes<dense_lanes>(x.size(), w.size(), [&](std::size_t i) { return w[i] * value[i]; });
  }
  const FeatureView::Index* index = x.indices();
  if (x.extent() <= w.size()) return gather_dot(w.data(), index, value, x.size());
  return sum_in_lanes<sparse_lanes>(x.size(), features_below(x, w.size()),
                                    [&](std::size_t k) { return w[index[k]] * value[k]; });
}

/// Grows w to cover every feature of x. Grows in powers of two, so that a stream allocates O(log d) times.
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

/// w += a x, as a learner's update. THROWS: NumericFailure if w might not stay finite, and then changes
/// nothing.
template <class Weights>
void add_update(Weights& w, double a, const FeatureView& x) {
  expect_update(a, x.squared_norm());
  add_scaled(w, a, x);
}

/// One weight times a factor >= 0. A product that underflows becomes 0, never -0: adding 0 then changes no
/// weight.
inline double scaled(double weight, double factor) {
  return weight * factor + 0.0;
}

/// w *= factor.
inline void scale(std::vector<double>& w, double factor) {
  for (double& weight : w) weight = scaled(weight, factor);
}

/// A copy of w.
inline std::vector<double> values_of(const std::vector<double>& w) {
  return w;
}

/// A copy of w, times a factor.
inline std::vector<double> times(std::vector<double> w, double factor) {
  for (double& weight : w) weight *= factor;
  return w;
}

/// Replaces the first weights of w, and sets the others to 0. REQUIRES: at most as many values as w has.
inline void replace_values(std::vector<double>& w, std::span<const double> values) {
  EXPECTS(values.size() <= w.size());
  std::fill(std::copy(values.begin(), values.end(), w.begin()), w.end(), 0.0);
}

}  // namespace askfew
