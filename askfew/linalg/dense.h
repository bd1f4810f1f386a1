#pragma once

#include <cstddef>

namespace askfew {

/// The sum of a[i] b[i]. SIMD of whatever width the machine has, always in the same order of additions
/// (eight lanes), so that every machine gives the same bits.
double dense_dot(const double* a, const double* b, std::size_t n);

/// w[i] += a x[i].
void dense_add_scaled(double* w, double a, const double* x, std::size_t n);

}  // namespace askfew
