#include "askfew/linalg/dense.h"

#include "askfew/system/instruction_sets.h"

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

double sum_of(const double* lane) {
  return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

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
  double total = sum_of(lane);
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

// Columns [i, i + chunk * width) of the combination stay in registers during the loop over the rows.
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

double quadratic(const double* HWY_RESTRICT m, std::size_t stride, const BlockedVector& x) {
  const Tag tag;
  hn::Vec<Tag> once[registers];
  hn::Vec<Tag> twice[registers];
  for (std::size_t r = 0; r < registers; ++r) once[r] = twice[r] = hn::Zero(tag);
  const std::size_t blocks = x.blocks();
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double* row = m + x.indices()[k] * stride;
    const std::size_t own = x.block_of()[k];
    const auto scale = hn::Set(tag, x.nonzeros()[k]);
    for (std::size_t r = 0; r < registers; ++r) {
      const std::size_t at = r * width;
      const auto times = [&](std::size_t block) {
        return hn::Mul(hn::LoadU(tag, row + x.block()[block] * lanes + at),
                       hn::LoadU(tag, x.values() + block * lanes + at));
      };
      once[r] = hn::Add(once[r], hn::Mul(scale, times(own)));
      // Four sums, so that an addition does not wait for the addition before.
      hn::Vec<Tag> sum[4] = {hn::Zero(tag), hn::Zero(tag), hn::Zero(tag), hn::Zero(tag)};
      std::size_t block = own + 1;
      for (; block + 4 <= blocks; block += 4) {
        for (std::size_t u = 0; u < 4; ++u) sum[u] = hn::Add(sum[u], times(block + u));
      }
      for (; block < blocks; ++block) sum[0] = hn::Add(sum[0], times(block));
      const auto total = hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3]));
      twice[r] = hn::Add(twice[r], hn::Mul(scale, total));
    }
  }
  const auto two = hn::Set(tag, 2.0);
  HWY_ALIGN double lane[lanes];
  for (std::size_t r = 0; r < registers; ++r) {
    hn::StoreU(hn::Add(once[r], hn::Mul(two, twice[r])), tag, lane + r * width);
  }
  return sum_of(lane);
}

void dots(const double* HWY_RESTRICT m, std::size_t stride, std::size_t count, const BlockedVector& x,
          double* HWY_RESTRICT out) {
  const Tag tag;
  for (std::size_t j = 0; j < count; ++j) {
    const double* row = m + j * stride;
    HWY_ALIGN double lane[lanes];
    for (std::size_t r = 0; r < registers; ++r) {
      auto sum = hn::Zero(tag);
      for (std::size_t block = 0; block < x.blocks(); ++block) {
        const std::size_t at = r * width;
        sum = hn::Add(sum, hn::Mul(hn::LoadU(tag, row + x.block()[block] * lanes + at),
                                   hn::LoadU(tag, x.values() + block * lanes + at)));
      }
      hn::StoreU(sum, tag, lane + r * width);
    }
    out[j] = sum_of(lane);
  }
}

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace askfew {

ASKFEW_EXPORT(dot);
ASKFEW_EXPORT(add_scaled);
ASKFEW_EXPORT(combination);
ASKFEW_EXPORT(quadratic);
ASKFEW_EXPORT(dots);

double dense_dot(const double* a, const double* b, std::size_t n) {
  return ASKFEW_DISPATCH(dot)(a, b, n);
}

void dense_add_scaled(double* w, double a, const double* x, std::size_t n) {
  ASKFEW_DISPATCH(add_scaled)(w, a, x, n);
}

void add_combination_of_rows(double* out, std::size_t n, const double* m, std::size_t stride,
                             const std::uint32_t* rows, const double* a, std::size_t count) {
  ASKFEW_DISPATCH(combination)(out, n, m, stride, rows, a, count);
}

double quadratic_form(const double* m, std::size_t stride, const BlockedVector& x) {
  return ASKFEW_DISPATCH(quadratic)(m, stride, x);
}

void dots_with_rows(const double* m, std::size_t stride, std::size_t count, const BlockedVector& x,
                    double* out) {
  ASKFEW_DISPATCH(dots)(m, stride, count, x, out);
}

}  // namespace askfew
#endif
