#pragma once

#include <cstddef>
#include <cstdint>

#include "askfew/linalg/blocked_vector.h"

namespace askfew {

/// The sum of a[i] b[i]. SIMD of whatever width the machine has, always in the same order of additions
/// (eight lanes), so that every machine gives the same bits.
double dense_dot(const double* a, const double* b, std::size_t n);

/// w[i] += a x[i].
void dense_add_scaled(double* w, double a, const double* x, std::size_t n);

/// out[i] += the sum over k = 0, 1, ... of a[k] m[rows[k] * stride + i], in this order: a combination of rows
/// of a matrix, each element of `out` loaded and stored once.
void add_combination_of_rows(double* out, std::size_t n, const double* m, std::size_t stride,
                             const std::uint32_t* rows, const double* a, std::size_t count);

/// x'Mx with the blocks of eight in which x has a non-zero component: a row of M is read eight numbers at a
/// time and only where it matters. M is symmetric with rows `stride` apart, a multiple of eight; of two
/// blocks only one triangle is read.
double quadratic_form(const double* m, std::size_t stride, const BlockedVector& x);

}  // namespace askfew
