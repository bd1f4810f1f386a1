// Included once per target by sources that Highway compiles for each target, so there is no ordinary include
// guard.

#include <cstdint>
#include <hwy/highway.h>

#include "askfew/streams/formats/common/marks.h"

#if defined(ASKFEW_STREAMS_TOKENS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKFEW_STREAMS_TOKENS_INL_H_
#undef ASKFEW_STREAMS_TOKENS_INL_H_
#else
#define ASKFEW_STREAMS_TOKENS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

// One token per lane: its bytes end with the lane's last byte, so that a number's last digit always has the
// same place.
using Words = hn::CappedTag<std::uint64_t, 8>;
using Bytes = hn::Repartition<std::uint8_t, Words>;
using Halves = hn::Repartition<std::uint16_t, Words>;
using Doubles = hn::Rebind<double, Words>;
using Vec = hn::Vec<Words>;
constexpr std::size_t lanes = hn::MaxLanes(Words{});

constexpr std::uint64_t each_byte = 0x0101010101010101;
constexpr std::uint64_t last_byte = std::uint64_t{0xFF} << 56;

HWY_INLINE Vec set(std::uint64_t value) {
  return hn::Set(Words{}, value);
}
template <int bits>
HWY_INLINE Vec left(Vec v) {
  return hn::ShiftLeft<bits>(v);
}
HWY_INLINE bool any(Vec v) {
  return !hn::AllFalse(Words{}, hn::Ne(v, hn::Zero(Words{})));
}

/// The eight bytes before each of several positions. (Gather instructions are slower.)
template <class Tag, class Place>
HWY_INLINE hn::Vec<Tag> bytes_before(Tag tag, const char* text, const Place* at) {
  if constexpr (hn::MaxLanes(tag) == 1) {
    return hn::LoadU(tag, reinterpret_cast<const std::uint64_t*>(text + *at - 8));
  } else {
    const hn::Half<Tag> half;
    return hn::Combine(tag, bytes_before(half, text, at + hn::MaxLanes(half)), bytes_before(half, text, at));
  }
}

/// A token's bytes, with digits as 0 to 9, and zeros before the token.
struct Token {
  Vec bytes;
  Vec inside;  // all bits of the token's bytes
};
/// The token at the end of `read`. `length` includes the mark after the token.
HWY_INLINE Token token(Vec read, Vec length) {
  // Number of bits before the token; kept in range even for a wrong length, which is detected elsewhere.
  const Vec missing = hn::And(hn::Sub(set(72), left<3>(length)), set(63));
  const Vec inside = hn::Shl(set(~std::uint64_t{0}), missing);
  return {hn::And(hn::Xor(read, set(each_byte * '0')), inside), inside};
}

/// Not 0 if a length, including the mark, is not 2 to 9.
HWY_INLINE Vec wrong_length(Vec length) {
  return hn::AndNot(set(7), hn::Sub(length, set(2)));
}
/// Positions of as many tokens as there are lanes.
using Positions = hn::Rebind<std::uint32_t, Words>;
HWY_INLINE Vec positions(const Position* from) {
  return hn::PromoteTo(Words{}, hn::LoadU(Positions{}, from));
}

/// The bytes of a token of this length, up to 24, that are in the k-th word before its end.
template <std::size_t k>
HWY_INLINE Vec inside_part(Vec length) {
  const Halves tag;
  const auto here = hn::SaturatedSub(hn::BitCast(tag, length), hn::Set(tag, std::uint16_t{8 * k}));
  const Vec bytes = hn::BitCast(Words{}, hn::Min(here, hn::Set(tag, std::uint16_t{8})));
  const Vec half = hn::Sub(set(32), left<2>(bytes));  // a shift by 64 bits needs two steps
  return hn::Shl(hn::Shl(set(~std::uint64_t{0}), half), half);
}

#endif

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASKFEW_STREAMS_TOKENS_INL_H_
