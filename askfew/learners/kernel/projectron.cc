#include "askfew/learners/kernel/projectron.h"

#include <algorithm>

#include "askfew/linalg/dense.h"

namespace askfew {

void Projectron::update(const FeatureView& x, Label y, double /*margin*/) {
  const double xx = f_.supports().self(x);
  expect_update(xx);
  const double delta_squared = xx - project(f_.supports().row(x).values);
  const double length = 1 + dense_dot(projection_.data(), projection_.data(), projection_.size());
  expect_update(length);
  if (delta_squared <= std::max(params_.eta * params_.eta, 1e-8 * xx)) {
    dense_add_scaled(f_.coefficients().data(), sign(y), projection_.data(), projection_.size());
    return;
  }
  expect_update(length / delta_squared);
  f_.prepare(f_.size() + 1, x, sign(y));
  grow_inverse(delta_squared);
  f_.add(x, sign(y));
}

/// d = G^-1 k; every number of the triangle is used for both of its places. Returns k.d.
double Projectron::project(std::span<const double> k) {
  projection_.assign(k.size(), 0.0);
  for (std::size_t i = 0; i < k.size(); ++i) {
    const double* const row = inverse_row(i);
    projection_[i] += dense_dot(row, k.data(), i + 1);
    dense_add_scaled(projection_.data(), k[i], row, i);
  }
  return dense_dot(k.data(), projection_.data(), k.size());
}

/// G^-1 = (G^-1 0; 0 0) + (d; -1) (d; -1)' / delta^2.
void Projectron::grow_inverse(double delta_squared) {
  const std::size_t n = projection_.size();
  const std::size_t size = triangle(n + 1);
  const std::size_t capacity = size <= inverse_.capacity() ? inverse_.capacity() : 2 * inverse_.capacity();
  memory_.resize(std::max(size, capacity) * sizeof(double), "the inverse of the Gram matrix");
  inverse_.resize(size);
  projection_.push_back(-1);
  for (std::size_t i = 0; i <= n; ++i) {
    dense_add_scaled(inverse_row(i), projection_[i] / delta_squared, projection_.data(), i + 1);
  }
}

}  // namespace askfew
