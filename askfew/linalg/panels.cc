#include "askfew/linalg/panels.h"

#include <algorithm>
#include <hwy/cache_control.h>

#include "askfew/system/instruction_sets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/linalg/panels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "askfew/linalg/fused-inl.h"

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A part of a wide panel with this depth stays in the first-level cache while all narrow panels use it.
template <class T>
constexpr std::size_t depth_block = 1024 / sizeof(T);

// How far ahead a wide panel, which is contiguous in memory, is prefetched: measured, 64 was best among 16 to
// 256.
constexpr std::size_t prefetch_distance = 64;

template <class T>
using Tag = hn::CappedTag<T, wide_rows<T>>;
template <class T>
constexpr std::size_t width = hn::MaxLanes(Tag<T>{});

// The columns of a tile are two registers if that leaves registers for the rows: 12 x 2 accumulators of 32
// registers, 6 x 2 of 16.
constexpr std::size_t tile_registers = 2;
constexpr std::size_t tile_rows = HWY_TARGET <= HWY_AVX3 ? 12 : 6;

/// c[i * c_stride + j] = its value (or 0) + the sum over k < depth of a[k * a_step + i] b[k][j], i < rows, j
/// < registers * width. b may begin within a wide panel and continue in the next panels. `minus`: the sum
/// starts from 0 and is subtracted from c.
template <class T, std::size_t rows, std::size_t registers, bool minus = false>
HWY_INLINE void tile(const T* HWY_RESTRICT a, std::size_t a_step, const T* HWY_RESTRICT b,
                     std::size_t b_stride, std::size_t depth, bool from_zero, T* HWY_RESTRICT c,
                     std::size_t c_stride) {
  constexpr std::size_t in_a_panel = wide_rows<T> / width<T>;
  const Tag<T> tag;
  using Vec = hn::Vec<Tag<T>>;
  Vec sum[rows][registers];
  HWY_UNROLL(16)
  for (std::size_t i = 0; i < rows; ++i) {
    HWY_UNROLL(16)
    for (std::size_t r = 0; r < registers; ++r) {
      sum[i][r] = minus || from_zero ? hn::Zero(tag) : hn::LoadU(tag, c + i * c_stride + r * width<T>);
    }
  }
  for (std::size_t k = 0; k < depth; ++k) {
    hwy::Prefetch(b + (k + prefetch_distance) * wide_rows<T>);
    hwy::Prefetch(b + (k + prefetch_distance) * wide_rows<T> + wide_rows<T> / 2);
    Vec right[registers];
    HWY_UNROLL(16)
    for (std::size_t r = 0; r < registers; ++r) {
      right[r] = hn::LoadU(tag, b + r / in_a_panel * b_stride + k * wide_rows<T> + r % in_a_panel * width<T>);
    }
    HWY_UNROLL(16)
    for (std::size_t i = 0; i < rows; ++i) {
      const Vec left = hn::Set(tag, a[k * a_step + i]);
      HWY_UNROLL(16)
      for (std::size_t r = 0; r < registers; ++r) sum[i][r] = fused(left, right[r], sum[i][r]);
    }
  }
  HWY_UNROLL(16)
  for (std::size_t i = 0; i < rows; ++i) {
    HWY_UNROLL(16)
    for (std::size_t r = 0; r < registers; ++r) {
      T* const to = c + i * c_stride + r * width<T>;
      hn::StoreU(minus ? hn::Sub(hn::LoadU(tag, to), sum[i][r]) : sum[i][r], tag, to);
    }
  }
}

/// `rows` rows of a narrow panel against one wide panel.
template <class T, std::size_t rows, bool minus = false>
HWY_INLINE void rows_by_panel(const T* a, std::size_t a_step, const T* b, std::size_t depth, bool from_zero,
                              T* c, std::size_t c_stride) {
  for (std::size_t j = 0; j < wide_rows<T>; j += tile_registers * width<T>) {
    const T* const columns = depth == 0 ? b : b + j;  // there may be no columns
    tile<T, rows, tile_registers, minus>(a, a_step, columns, 0, depth, from_zero, c + j, c_stride);
  }
}

/// The first n rows of a narrow panel against one wide panel.
template <class T, bool minus = false>
HWY_INLINE void panel_by_panel(const T* a, std::size_t n, const T* b, std::size_t depth, bool from_zero, T* c,
                               std::size_t c_stride) {
  std::size_t i = 0;
  for (; i + tile_rows <= n; i += tile_rows) {
    rows_by_panel<T, tile_rows, minus>(a + i, narrow_rows, b, depth, from_zero, c + i * c_stride, c_stride);
  }
  for (; i + 3 <= n; i += 3) {
    rows_by_panel<T, 3, minus>(a + i, narrow_rows, b, depth, from_zero, c + i * c_stride, c_stride);
  }
  for (; i < n; ++i)
    rows_by_panel<T, 1, minus>(a + i, narrow_rows, b, depth, from_zero, c + i * c_stride, c_stride);
}

/// Over several panels together: eight registers hide more latency than two.
template <class T>
HWY_INLINE void row_by_panels(const T* row, const WidePanels<T>& wide, std::size_t depth, T* out) {
  constexpr std::size_t registers = 8;
  constexpr std::size_t at_once = std::max<std::size_t>(1, registers * width<T> / wide_rows<T>);
  std::size_t panel = 0;
  for (; panel + at_once <= wide.count; panel += at_once) {
    const T* const b = wide.data + panel * wide.stride;
    for (std::size_t j = 0; j < at_once * wide_rows<T>; j += registers * width<T>) {
      tile<T, 1, registers>(row, 1, b + j, wide.stride, depth, true, out + panel * wide_rows<T> + j, 0);
    }
  }
  for (; panel < wide.count; ++panel) {
    rows_by_panel<T, 1>(row, 1, wide.data + panel * wide.stride, depth, true, out + panel * wide_rows<T>, 0);
  }
}

template <class T>
HWY_INLINE void multiply(const PanelProduct<T>& p, T* out, std::size_t out_stride) {
  constexpr std::size_t wide = wide_rows<T>;
  for (std::size_t panel = 0; panel < p.wide.count; ++panel) {
    const T* const b = p.wide.data + panel * p.wide.stride;
    T* const c = out + panel * wide;
    std::size_t k = 0;
    do {  // also once at depth 0, which gives zeros
      const std::size_t depth = std::min(depth_block<T>, p.depth - k);
      for (std::size_t i = 0; i < p.n; i += narrow_rows) {
        panel_by_panel(p.narrow + i / narrow_rows * p.narrow_stride + k * narrow_rows,
                       std::min(narrow_rows, p.n - i), b + k * wide, depth, k == 0, c + i * out_stride,
                       out_stride);
      }
      k += depth;
    } while (k < p.depth);
  }
}

void multiply_double(const PanelProduct<double>& product, double* out, std::size_t out_stride) {
  multiply(product, out, out_stride);
}
void multiply_single(const PanelProduct<float>& product, float* out, std::size_t out_stride) {
  multiply(product, out, out_stride);
}
void multiply_row_double(const double* row, const WidePanels<double>& wide, std::size_t depth, double* out) {
  row_by_panels(row, wide, depth, out);
}
void multiply_row_single(const float* row, const WidePanels<float>& wide, std::size_t depth, float* out) {
  row_by_panels(row, wide, depth, out);
}

template <class T>
HWY_INLINE T chain(const T* a, const T* b, std::size_t n) {
  const hn::CappedTag<T, 1> one;
  auto sum = hn::Zero(one);
  for (std::size_t k = 0; k < n; ++k) sum = fused(hn::Set(one, a[k]), hn::Set(one, b[k]), sum);
  return hn::GetLane(sum);
}

double chain_double(const double* a, const double* b, std::size_t n) {
  return chain(a, b, n);
}
float chain_single(const float* a, const float* b, std::size_t n) {
  return chain(a, b, n);
}

void subtract(double* m, std::size_t n, std::size_t stride, const double* narrow, const double* wide,
              std::size_t k) {
  constexpr std::size_t columns = wide_rows<double>;
  for (std::size_t i = 0; i < n; i += narrow_rows) {
    const std::size_t rows = std::min(narrow_rows, n - i);
    const double* const a = narrow + i * k;
    std::size_t j = 0;
    for (; j + columns <= n; j += columns) {
      panel_by_panel<double, true>(a, rows, wide + j * k, k, true, m + i * stride + j, stride);
    }
    if (j == n) continue;
    // The last columns, in a separate tile so that nothing beyond M is touched.
    double edge[narrow_rows * columns] = {};
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(m + (i + r) * stride + j, n - j, edge + r * columns);
    panel_by_panel<double, true>(a, rows, wide + j * k, k, true, edge, columns);
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(edge + r * columns, n - j, m + (i + r) * stride + j);
  }
}

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace askfew {
namespace {

/// Panels of `rows` rows, k deep, of the vectors u[j * u_stride ...]; rows beyond n are 0.
template <std::size_t rows>
void pack(const double* u, std::size_t n, std::size_t u_stride, std::size_t k, double* panels) {
  for (std::size_t i = 0; i < n; i += rows) {
    const std::size_t count = std::min(rows, n - i);
    for (std::size_t j = 0; j < k; ++j) {
      double* const to = panels + i * k + j * rows;
      std::copy_n(u + j * u_stride + i, count, to);
      std::fill(to + count, to + rows, 0.0);
    }
  }
}

}  // namespace

ASKFEW_EXPORT(multiply_double);
ASKFEW_EXPORT(multiply_single);
ASKFEW_EXPORT(multiply_row_double);
ASKFEW_EXPORT(multiply_row_single);
ASKFEW_EXPORT(chain_double);
ASKFEW_EXPORT(chain_single);
ASKFEW_EXPORT(subtract);

void multiply_panels(const PanelProduct<double>& product, double* out, std::size_t out_stride) {
  ASKFEW_DISPATCH(multiply_double)(product, out, out_stride);
}
void multiply_panels(const PanelProduct<float>& product, float* out, std::size_t out_stride) {
  ASKFEW_DISPATCH(multiply_single)(product, out, out_stride);
}

void multiply_row(const double* row, const WidePanels<double>& wide, std::size_t depth, double* out) {
  ASKFEW_DISPATCH(multiply_row_double)(row, wide, depth, out);
}
void multiply_row(const float* row, const WidePanels<float>& wide, std::size_t depth, float* out) {
  ASKFEW_DISPATCH(multiply_row_single)(row, wide, depth, out);
}

double fused_dot(std::span<const double> a, std::span<const double> b) {
  return ASKFEW_DISPATCH(chain_double)(a.data(), b.data(), std::min(a.size(), b.size()));
}
float fused_dot(std::span<const float> a, std::span<const float> b) {
  return ASKFEW_DISPATCH(chain_single)(a.data(), b.data(), std::min(a.size(), b.size()));
}

void subtract_outer_products(double* m, std::size_t n, std::size_t stride, const double* u,
                             std::size_t u_stride, std::size_t k, std::vector<double>& workspace) {
  const std::size_t narrow = panels_for(n, narrow_rows) * narrow_rows * k;
  const std::size_t wide = panels_for(n, wide_rows<double>) * wide_rows<double> * k;
  if (workspace.size() < narrow + wide) workspace.resize(narrow + wide);
  pack<narrow_rows>(u, n, u_stride, k, workspace.data());
  pack<wide_rows<double>>(u, n, u_stride, k, workspace.data() + narrow);
  ASKFEW_DISPATCH(subtract)(m, n, stride, workspace.data(), workspace.data() + narrow, k);
}

}  // namespace askfew
#endif
