#pragma once

#include <cstddef>
#include <cstdint>

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

/// The sum over all pairs a < b of x[a] m[index[a] * stride + index[b]] x[b].
double sum_over_pairs(const double* m, std::size_t stride, const std::uint32_t* index, const double* x,
                      std::size_t n);

}  // namespace askfew
