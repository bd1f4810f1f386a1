#pragma once

#include <cstddef>

namespace askfew {

/// values[s] = exp(-gamma max(0, xx + zz[s] - 2 products[s])), NaN where the distance is not finite, 0 below
/// 3e-308. The result is within 1e-15 of the exact exponential of that number, with the same bits on every
/// machine. REQUIRES: n is a multiple of 8.
void rbf(const double* products, double xx, const double* zz, double gamma, double* values, std::size_t n);
void rbf(const float* products, double xx, const double* zz, double gamma, double* values, std::size_t n);

}  // namespace askfew
