#pragma once

#include <cstddef>
#include <cstdint>

#include "askfew/linalg/blocked_vector.h"

namespace askfew {

/// The sum of a[i] b[i]. The code uses the SIMD width of the machine, but always the same order of additions
/// (eight lanes), so that every machine gives the same bits.
double dense_dot(const double* a, const double* b, std::size_t n);

/// w[i] += a x[i].
void dense_add_scaled(double* w, double a, const double* x, std::size_t n);

/// out[i] += the sum over k = 0, 1, ... of a[k] m[rows[k] * stride + i], in this order: a combination of rows
/// of a matrix. Each element of `out` is loaded and stored once.
void add_combination_of_rows(double* out, std::size_t n, const double* m, std::size_t stride,
                             const std::uint32_t* rows, const double* a, std::size_t count);

// Products of a matrix with a vector that has few non-zeros: a row is read in blocks of eight numbers (a
// cache line), and only where the vector is non-zero. Rows are `stride` apart, a multiple of eight.

/// x'Mx. M is symmetric: only one triangle of the blocks is read.
double quadratic_form(const double* m, std::size_t stride, const BlockedVector& x);

/// out[j] = the dot product of row j with x, j = 0, ..., count - 1.
void dots_with_rows(const double* m, std::size_t stride, std::size_t count, const BlockedVector& x,
                    double* out);

}  // namespace askfew
