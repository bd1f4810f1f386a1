#pragma once

#include <span>

namespace askfew {

/// Replaces the lower triangle of a symmetric matrix, stored row by row, by L with A = L L'. False if the
/// matrix is numerically not positive definite. The order of additions is fixed.
bool cholesky(std::span<double> matrix, std::size_t dimension);

/// b = L^-1 b.
void solve_lower(std::span<const double> factor, std::span<double> b);

/// b = (L')^-1 b.
void solve_upper(std::span<const double> factor, std::span<double> b);

}  // namespace askfew
