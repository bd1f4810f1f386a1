#include "askfew/linalg/dense.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/linalg/dense.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Eight lanes on every machine: one register of eight, two of four, four of two.
constexpr std::size_t lanes = 8;
using Tag = hn::CappedTag<double, lanes>;
constexpr std::size_t width = hn::MaxLanes(Tag{});
constexpr std::size_t registers = lanes / width;

double dot(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, std::size_t n) {
  const Tag tag;
  hn::Vec<Tag> sum[registers];
  for (std::size_t r = 0; r < registers; ++r) sum[r] = hn::Zero(tag);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    for (std::size_t r = 0; r < registers; ++r) {
      const std::size_t at = i + r * width;
      sum[r] = hn::Add(sum[r], hn::Mul(hn::LoadU(tag, a + at), hn::LoadU(tag, b + at)));
    }
  }
  HWY_ALIGN double lane[lanes];
  for (std::size_t r = 0; r < registers; ++r) hn::StoreU(sum[r], tag, lane + r * width);
  double total = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
  for (; i < n; ++i) total += a[i] * b[i];
  return total;
}

void add_scaled(double* HWY_RESTRICT w, double a, const double* HWY_RESTRICT x, std::size_t n) {
  const Tag tag;
  const auto scale = hn::Set(tag, a);
  std::size_t i = 0;
  for (; i + width <= n; i += width) {
    hn::StoreU(hn::Add(hn::LoadU(tag, w + i), hn::Mul(scale, hn::LoadU(tag, x + i))), tag, w + i);
  }
  for (; i < n; ++i) w[i] += a * x[i];
}

// Columns [i, i + chunk * width) of the combination stay in registers while the rows go by.
template <std::size_t chunk>
std::size_t combine(double* HWY_RESTRICT out, std::size_t i, std::size_t n, const double* HWY_RESTRICT m,
                    std::size_t stride, const std::uint32_t* rows, const double* a, std::size_t count) {
  const Tag tag;
  for (; i + chunk * width <= n; i += chunk * width) {
    hn::Vec<Tag> sum[chunk];
    for (std::size_t c = 0; c < chunk; ++c) sum[c] = hn::LoadU(tag, out + i + c * width);
    for (std::size_t k = 0; k < count; ++k) {
      const double* row = m + rows[k] * stride + i;
      const auto scale = hn::Set(tag, a[k]);
      for (std::size_t c = 0; c < chunk; ++c) {
        sum[c] = hn::Add(sum[c], hn::Mul(scale, hn::LoadU(tag, row + c * width)));
      }
    }
    for (std::size_t c = 0; c < chunk; ++c) hn::StoreU(sum[c], tag, out + i + c * width);
  }
  return i;
}

void combination(double* HWY_RESTRICT out, std::size_t n, const double* HWY_RESTRICT m, std::size_t stride,
                 const std::uint32_t* rows, const double* a, std::size_t count) {
  std::size_t i = combine<2 * width>(out, 0, n, m, stride, rows, a, count);
  i = combine<1>(out, i, n, m, stride, rows, a, count);
  for (; i < n; ++i) {
    for (std::size_t k = 0; k < count; ++k) out[i] += a[k] * m[rows[k] * stride + i];
  }
}

// Eight lanes of partial sums over all pairs, the pairs that do not fill eight one by one.
double off_diagonal(const double* HWY_RESTRICT m, std::size_t stride, const std::uint32_t* HWY_RESTRICT index,
                    const double* HWY_RESTRICT x, std::size_t n) {
  const Tag tag;
  const hn::RebindToSigned<Tag> index_tag;
  const hn::Rebind<std::uint32_t, Tag> narrow_tag;
  hn::Vec<Tag> sum[registers];
  for (std::size_t r = 0; r < registers; ++r) sum[r] = hn::Zero(tag);
  double rest = 0;
  for (std::size_t a = 0; a < n; ++a) {
    const double* row = m + index[a] * stride;
    const auto scale = hn::Set(tag, x[a]);
    std::size_t b = a + 1;
    for (; b + lanes <= n; b += lanes) {
      for (std::size_t r = 0; r < registers; ++r) {
        const std::size_t at = b + r * width;
        const auto columns = hn::BitCast(
            index_tag, hn::PromoteTo(hn::RebindToUnsigned<Tag>(), hn::LoadU(narrow_tag, index + at)));
        const auto entries = hn::GatherIndex(tag, row, columns);
        sum[r] = hn::Add(sum[r], hn::Mul(scale, hn::Mul(entries, hn::LoadU(tag, x + at))));
      }
    }
    for (; b < n; ++b) rest += x[a] * (row[index[b]] * x[b]);
  }
  HWY_ALIGN double lane[lanes];
  for (std::size_t r = 0; r < registers; ++r) hn::StoreU(sum[r], tag, lane + r * width);
  return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7])) + rest;
}

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace askfew {

HWY_EXPORT(dot);
HWY_EXPORT(add_scaled);
HWY_EXPORT(combination);
HWY_EXPORT(off_diagonal);

double dense_dot(const double* a, const double* b, std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(dot)(a, b, n);
}

void dense_add_scaled(double* w, double a, const double* x, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(add_scaled)(w, a, x, n);
}

void add_combination_of_rows(double* out, std::size_t n, const double* m, std::size_t stride,
                             const std::uint32_t* rows, const double* a, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(combination)(out, n, m, stride, rows, a, count);
}

double sum_over_pairs(const double* m, std::size_t stride, const std::uint32_t* index, const double* x,
                      std::size_t n) {
  return HWY_DYNAMIC_DISPATCH(off_diagonal)(m, stride, index, x, n);
}

}  // namespace askfew
#endif
