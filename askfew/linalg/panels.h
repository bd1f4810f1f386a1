#pragma once

// Products of two sets of dense rows, packed into panels that fit the registers.

#include <cstddef>
#include <span>
#include <vector>

namespace askfew {

// Matrix products of rows packed in panels. A panel contains a fixed number of rows, interleaved: component k
// of row r is at panel[k * rows + r]. Every number of a product is one chain
//
//   c = fma(a[0], b[0], c);  c = fma(a[1], b[1], c);  ...        in this order, each rounded once
//
// so that the bits do not depend on the block size, the blocking and the width of the machine's registers.
// Targets without fused multiply-add compute each step separately: slower, but with the same result.

/// Rows in a panel of the narrow side, which has few rows (a block of instances).
inline constexpr std::size_t narrow_rows = 12;
/// Rows in a panel of the wide side (all supports): 128 bytes, two of the widest registers.
template <class T>
inline constexpr std::size_t wide_rows = 128 / sizeof(T);

/// The number of panels of `rows` rows for n rows.
constexpr std::size_t panels_for(std::size_t n, std::size_t rows) {
  return (n + rows - 1) / rows;
}

/// Panels of the wide side, `stride` numbers apart.
template <class T>
struct WidePanels {
  const T* data = nullptr;
  std::size_t count = 0;
  std::size_t stride = 0;
};

/// n rows in narrow panels, and the wide panels to multiply with: the first `depth` components of all rows.
template <class T>
struct PanelProduct {
  const T* narrow = nullptr;
  std::size_t n = 0;
  std::size_t narrow_stride = 0;
  WidePanels<T> wide;
  std::size_t depth = 0;
};

/// out[i * out_stride + s] = a_i . b_s for all narrow rows a_i and wide rows b_s. Fast if panels begin at
/// cache lines (askfew/linalg/aligned.h). REQUIRES: out_stride >= wide.count * wide_rows.
void multiply_panels(const PanelProduct<double>& product, double* out, std::size_t out_stride);
void multiply_panels(const PanelProduct<float>& product, float* out, std::size_t out_stride);

/// out[s] = row . b_s for one row with contiguous components: the same bits.
void multiply_row(const double* row, const WidePanels<double>& wide, std::size_t depth, double* out);
void multiply_row(const float* row, const WidePanels<float>& wide, std::size_t depth, float* out);

/// The chain of one row against one row, both contiguous.
double fused_dot(std::span<const double> a, std::span<const double> b);
float fused_dot(std::span<const float> a, std::span<const float> b);

/// M -= U U' in place, M symmetric, n x n, both triangles stored, row i at m + i * stride; component i of
/// column j of U is u[j * u_stride + i], and there are k columns. Entry (i, j) becomes M_ij - c_ij, where
/// c_ij is the chain over the columns: exactly symmetric if M was symmetric. The workspace grows at the first
/// call with a larger size.
void subtract_outer_products(double* m, std::size_t n, std::size_t stride, const double* u,
                             std::size_t u_stride, std::size_t k, std::vector<double>& workspace);

}  // namespace askfew
