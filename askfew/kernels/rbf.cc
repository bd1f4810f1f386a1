#include "askfew/kernels/rbf.h"

#include <cmath>
#include <limits>

#include "askfew/system/instruction_sets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/kernels/rbf.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "askfew/linalg/fused-inl.h"

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Numbers = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Numbers>;

/// e^x for x in [-708, 0]: x = n ln 2 + r, e^r by its Taylor series up to r^13, then n is added to the
/// exponent. Highway's Exp is not used because its bits depend on fused multiply-add.
HWY_INLINE Vec exponential(Vec x) {
  const Numbers tag;
  const hn::RebindToUnsigned<Numbers> bits;
  // Adding 1.5 * 2^52 rounds to an integer, which is then in the lowest bits.
  const Vec shifter = hn::Set(tag, 0x1.8p52);
  const Vec shifted = hn::Add(hn::Mul(x, hn::Set(tag, 1.4426950408889634)), shifter);
  const Vec n = hn::Sub(shifted, shifter);
  Vec r = fused(n, hn::Set(tag, -0x1.62e42fefa39efp-1), x);  // ln 2 in two parts
  r = fused(n, hn::Set(tag, -0x1.abc9e3b39803fp-56), r);
  constexpr double inverse_factorials[] = {
      1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
      1.0 / 120,       1.0 / 24,       1.0 / 6,       1.0 / 2,      1.0,         1.0};
  Vec sum = hn::Set(tag, 1.0 / 6227020800);
  for (const double c : inverse_factorials) sum = fused(sum, r, hn::Set(tag, c));
  return hn::BitCast(tag, hn::Add(hn::BitCast(bits, sum), hn::ShiftLeft<52>(hn::BitCast(bits, shifted))));
}

HWY_INLINE Vec load(const double* from) {
  return hn::LoadU(Numbers{}, from);
}
HWY_INLINE Vec load(const float* from) {
  const hn::Rebind<float, Numbers> singles;
  return hn::PromoteTo(Numbers{}, hn::LoadU(singles, from));
}

template <class T>
HWY_INLINE void rbf_row(const T* products, double xx, const double* zz, double gamma, double* values,
                        std::size_t n) {
  const Numbers tag;
  const Vec lowest = hn::Set(tag, -708.0);
  for (std::size_t s = 0; s < n; s += hn::MaxLanes(tag)) {
    const Vec twice = hn::Mul(hn::Set(tag, 2.0), load(products + s));
    const Vec distance = hn::Sub(hn::Add(hn::Set(tag, xx), load(zz + s)), twice);
    const auto is_finite = hn::Lt(hn::Abs(distance), hn::Set(tag, std::numeric_limits<double>::infinity()));
    const Vec power = hn::Mul(hn::Set(tag, -gamma), hn::Max(distance, hn::Zero(tag)));
    const Vec value = hn::IfThenElseZero(hn::Ge(power, lowest), exponential(hn::Max(power, lowest)));
    hn::StoreU(hn::IfThenElse(is_finite, value, hn::Set(tag, std::numeric_limits<double>::quiet_NaN())), tag,
               values + s);
  }
}

void rbf_double(const double* products, double xx, const double* zz, double gamma, double* values,
                std::size_t n) {
  rbf_row(products, xx, zz, gamma, values, n);
}
void rbf_single(const float* products, double xx, const double* zz, double gamma, double* values,
                std::size_t n) {
  rbf_row(products, xx, zz, gamma, values, n);
}

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace askfew {

ASKFEW_EXPORT(rbf_double);
ASKFEW_EXPORT(rbf_single);

void rbf(const double* products, double xx, const double* zz, double gamma, double* values, std::size_t n) {
  ASKFEW_DISPATCH(rbf_double)(products, xx, zz, gamma, values, n);
}
void rbf(const float* products, double xx, const double* zz, double gamma, double* values, std::size_t n) {
  ASKFEW_DISPATCH(rbf_single)(products, xx, zz, gamma, values, n);
}

}  // namespace askfew
#endif
