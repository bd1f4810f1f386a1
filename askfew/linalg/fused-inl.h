// Included once per target by sources that Highway compiles for each target, so there is no ordinary include
// guard.

#include <cmath>
#include <hwy/highway.h>

#if defined(ASKFEW_LINALG_FUSED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKFEW_LINALG_FUSED_INL_H_
#undef ASKFEW_LINALG_FUSED_INL_H_
#else
#define ASKFEW_LINALG_FUSED_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

/// a b + c, rounded once. Targets without the instruction compute it lane by lane: slower, but with the same
/// result.
template <class V>
HWY_INLINE V fused(V a, V b, V c) {
#if HWY_NATIVE_FMA
  return hwy::HWY_NAMESPACE::MulAdd(a, b, c);
#else
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::DFromV<V> tag;
  using T = hn::TFromV<V>;
  constexpr std::size_t lanes = hn::MaxLanes(tag);
  T x[lanes];
  T y[lanes];
  T z[lanes];
  hn::StoreU(a, tag, x);
  hn::StoreU(b, tag, y);
  hn::StoreU(c, tag, z);
  for (std::size_t i = 0; i < lanes; ++i) z[i] = std::fma(x[i], y[i], z[i]);
  return hn::LoadU(tag, z);
#endif
}

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
