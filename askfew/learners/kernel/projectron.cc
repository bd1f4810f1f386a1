#include "askfew/learners/kernel/projectron.h"

#include <algorithm>

#include "askfew/linalg/dense.h"

namespace askfew {

void Projectron::update(const FeatureView& x, Label y, double /*margin*/) {
  const std::span<const double> k = f_.supports().row(x);
  project(k);
  const double xx = f_.supports().self(x);
  const double delta_squared = xx - dense_dot(k.data(), projection_.data(), k.size());
  if (delta_squared <= std::max(params_.eta * params_.eta, 1e-8 * xx)) {
    dense_add_scaled(f_.coefficients().data(), sign(y), projection_.data(), projection_.size());
    return;
  }
  grow_inverse(delta_squared);
  f_.add(x, sign(y));
}

/// d = G^-1 k, every number of the triangle used for both of its places.
void Projectron::project(std::span<const double> k) {
  projection_.assign(k.size(), 0.0);
  for (std::size_t i = 0; i < k.size(); ++i) {
    const double* const row = inverse_row(i);
    projection_[i] += dense_dot(row, k.data(), i + 1);
    dense_add_scaled(projection_.data(), k[i], row, i);
  }
}

/// G^-1 = (G^-1 0; 0 0) + (d; -1) (d; -1)' / delta^2.
void Projectron::grow_inverse(double delta_squared) {
  const std::size_t n = projection_.size();
  memory_.resize(inverse_bytes(n + 1), "the inverse of the Gram matrix");
  inverse_.resize(triangle(n + 1));
  projection_.push_back(-1);
  for (std::size_t i = 0; i <= n; ++i) {
    dense_add_scaled(inverse_row(i), projection_[i] / delta_squared, projection_.data(), i + 1);
  }
}

}  // namespace askfew
