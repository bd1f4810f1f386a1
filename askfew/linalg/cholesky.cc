#include "askfew/linalg/cholesky.h"

#include <cmath>

#include "askfew/linalg/dense.h"

namespace askfew {

bool cholesky(std::span<double> matrix, std::size_t dimension) {
  for (std::size_t i = 0; i < dimension; ++i) {
    double* row = matrix.data() + i * dimension;
    for (std::size_t j = 0; j < i; ++j) {
      const double* earlier = matrix.data() + j * dimension;
      row[j] = (row[j] - dense_dot(row, earlier, j)) / earlier[j];
    }
    const double pivot = row[i] - dense_dot(row, row, i);
    if (!(pivot > 0 && std::isfinite(pivot))) return false;
    row[i] = std::sqrt(pivot);
  }
  return true;
}

void solve_lower(std::span<const double> factor, std::span<double> b) {
  const std::size_t dimension = b.size();
  for (std::size_t i = 0; i < dimension; ++i) {
    const double* row = factor.data() + i * dimension;
    b[i] = (b[i] - dense_dot(row, b.data(), i)) / row[i];
  }
}

void solve_upper(std::span<const double> factor, std::span<double> b) {
  const std::size_t dimension = b.size();
  for (std::size_t i = dimension; i-- > 0;) {
    const double* row = factor.data() + i * dimension;
    b[i] /= row[i];
    dense_add_scaled(b.data(), -b[i], row, i);
  }
}

}  // namespace askfew
