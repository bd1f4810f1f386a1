#include "askfew/streams/pairs.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/streams/pairs.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

PairsRead read_pairs(const PairTokens& /*tokens*/, FeatureView::Index /*base*/, double /*squares*/,
                     const Examples::Room& /*out*/) {
  return {};  // no registers: the caller reads them one by one
}

bool values(const char* /*text*/, const Position* /*colons*/, const Position* /*ends*/, std::size_t /*count*/,
            double* /*out*/) {
  return false;
}

#else

// A token a lane: its bytes end with the lane's last, so that a number's last digit always has the same
// place.
using Words = hn::CappedTag<std::uint64_t, 8>;
using Bytes = hn::Repartition<std::uint8_t, Words>;
using Halves = hn::Repartition<std::uint16_t, Words>;
using Doubles = hn::Rebind<double, Words>;
using Positions = hn::Rebind<std::uint32_t, Words>;
using Vec = hn::Vec<Words>;
constexpr std::size_t lanes = hn::MaxLanes(Words{});
static_assert(lanes <= pair_slack && lanes <= spare_marks);

constexpr std::uint64_t each_byte = 0x0101010101010101;

HWY_INLINE Vec set(std::uint64_t value) {
  return hn::Set(Words{}, value);
}
template <int bits>
HWY_INLINE Vec left(Vec v) {
  return hn::ShiftLeft<bits>(v);
}

/// The eight bytes before each of some positions. (Instructions that gather are slower.)
template <class Tag>
HWY_INLINE hn::Vec<Tag> bytes_before(Tag tag, const char* text, const Position* at) {
  if constexpr (hn::MaxLanes(tag) == 1) {
    return hn::LoadU(tag, reinterpret_cast<const std::uint64_t*>(text + *at - 8));
  } else {
    const hn::Half<Tag> half;
    return hn::Combine(tag, bytes_before(half, text, at + hn::MaxLanes(half)), bytes_before(half, text, at));
  }
}

/// A token's bytes, digits as 0 to 9, and zeros before it. `length` counts the mark behind it, too.
struct Token {
  Vec bytes;
  Vec inside;  // all bits of the token's bytes
};
HWY_INLINE Token token(const char* text, const Position* ends, Vec length) {
  const Vec read = bytes_before(Words{}, text, ends);
  const Vec missing = hn::Sub(set(72), left<3>(length));  // bits before the token
  const Vec inside = hn::Shl(set(~std::uint64_t{0}), missing);
  return {hn::And(hn::Xor(read, set(each_byte * '0')), inside), inside};
}

/// Not 0 if a length, counted with the mark, is not 2 to 9.
HWY_INLINE Vec wrong_length(Vec length) {
  return hn::AndNot(set(7), hn::Sub(length, set(2)));
}
/// Not 0 if a byte is not 0 to 9.
HWY_INLINE Vec wrong_digits(Vec digits) {
  const Bytes tag;
  return hn::BitCast(Words{}, hn::SaturatedSub(hn::BitCast(tag, digits), hn::Set(tag, std::uint8_t{9})));
}

/// The number that eight digits are, the first in the lowest byte: tens with ones, then two with two, then
/// four with four.
HWY_INLINE Vec number(Vec digits) {
  const Halves halves;
  const auto weighed = hn::Mul(hn::BitCast(halves, digits), hn::Set(halves, 10 * 256 + 1));
  const auto two = hn::BitCast(hn::RebindToSigned<Halves>{}, hn::ShiftRight<8>(weighed));
  const hn::Repartition<std::int32_t, Words> quarters;
  const auto weights = hn::BitCast(hn::RebindToSigned<Halves>{}, hn::Set(quarters, 0x0001'0064));  // 100, 1
  auto rest = hn::Zero(quarters);
  const auto sums = hn::ReorderWidenMulAccumulate(quarters, two, weights, hn::Zero(quarters), rest);
  const Vec four = hn::BitCast(Words{}, hn::RearrangeToOddPlusEven(sums, rest));
  const hn::Repartition<std::uint32_t, Words> unsigned_quarters;
  const Vec high = hn::MulEven(hn::BitCast(unsigned_quarters, four), hn::Set(unsigned_quarters, 10'000));
  return hn::Add(high, hn::ShiftRight<32>(four));
}

/// [-]digits[.digits] without its sign and its point.
struct Decimal {
  Vec digits;
  Vec sign;      // the sign bit of a double
  Vec fraction;  // how many of the digits come after the point
  Vec wrong;     // not 0 if the last byte is no digit: a sign or a point alone is no number
};
HWY_INLINE Decimal decimal(const Token& token) {
  const Bytes bytes;
  const Vec first = hn::AndNot(left<8>(token.inside), token.inside);
  const auto negative = hn::Eq(hn::And(token.bytes, first), hn::And(first, set(each_byte * ('-' ^ '0'))));
  const Vec minus = hn::IfThenElseZero(negative, first);
  const Vec rest = hn::AndNot(minus, token.bytes);
  const auto is_point = hn::Eq(hn::BitCast(bytes, rest), hn::Set(bytes, std::uint8_t{'.' ^ '0'}));
  const Vec point = hn::And(hn::BitCast(Words{}, hn::VecFromMask(bytes, is_point)), set(each_byte));
  // With no point everything is "before" it, and must not be moved up into its place.
  const Vec before = hn::Sub(point, set(1));
  const Vec not_after = hn::Sub(left<8>(point), set(1));
  const Vec joined = hn::Or(left<8>(hn::And(rest, before)), hn::AndNot(not_after, rest));
  const auto no_point = hn::Eq(point, hn::Zero(Words{}));
  const auto after = hn::BitCast(bytes, hn::AndNot(not_after, set(each_byte)));
  return {.digits = hn::IfThenElse(no_point, rest, joined),
          .sign = hn::IfThenElseZero(negative, set(std::uint64_t{1} << 63)),
          .fraction = hn::SumsOf8(after),
          .wrong = hn::And(hn::Or(point, minus), set(std::uint64_t{0xFF} << 56))};
}

/// 10^0 to 10^7 have nothing but zeros in the last half of their bits.
HWY_INLINE hn::Vec<Doubles> power_of_ten(Vec exponent) {
  // Twice, for registers of sixteen.
  static constexpr std::uint32_t first_half[] = {
      0x3FF00000, 0x40240000, 0x40590000, 0x408F4000, 0x40C38800, 0x40F86A00, 0x412E8480, 0x416312D0,
      0x3FF00000, 0x40240000, 0x40590000, 0x408F4000, 0x40C38800, 0x40F86A00, 0x412E8480, 0x416312D0};
  const hn::Repartition<std::uint32_t, Words> quarters;
  if constexpr (hn::MaxLanes(quarters) >= 8) {
    const auto table = hn::LoadU(quarters, first_half);
    const auto chosen =
        hn::TableLookupLanes(table, hn::IndicesFromVec(quarters, hn::BitCast(quarters, exponent)));
    return hn::BitCast(Doubles{}, left<32>(hn::BitCast(Words{}, chosen)));
  } else {
    static constexpr double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
    return hn::GatherIndex(Doubles{}, powers, hn::BitCast(hn::RebindToSigned<Words>{}, exponent));
  }
}

/// Up to eight digits make less than 2^53, and a power of ten up to the 22nd is exact: one division rounds
/// correctly.
HWY_INLINE hn::Vec<Doubles> value_of(const Decimal& decimal, Vec mantissa) {
  const Doubles tag;
  // 2^52 + m has the bits of m at its end.
  const auto shifted = hn::BitCast(tag, hn::Or(mantissa, set(0x4330'0000'0000'0000)));
  const auto m = hn::Sub(shifted, hn::Set(tag, 0x1p52));
  return hn::Xor(hn::Div(m, power_of_ten(decimal.fraction)), hn::BitCast(tag, decimal.sign));
}

HWY_INLINE Vec positions(const Position* from) {
  return hn::PromoteTo(Words{}, hn::LoadU(Positions{}, from));
}

/// What is remembered of the pairs of a line.
struct Seen {
  Vec wrong;  // not 0 if a pair is not of the usual form
  Vec zero;   // not 0 if a value is 0
};

/// Reads a pair a lane, of which the first `count` count.
HWY_INLINE void read_group(const PairTokens& tokens, std::size_t at, std::size_t count, Vec base,
                           const Examples::Room& out, Seen& seen) {
  const Words words;
  const Vec colon = positions(tokens.colons + at);
  const Vec index_length = hn::Sub(colon, positions(tokens.ends + at));
  const Vec value_length = hn::Sub(positions(tokens.ends + at + 1), colon);
  const Token index = token(tokens.text, tokens.colons + at, index_length);
  const Decimal value = decimal(token(tokens.text, tokens.ends + at + 1, value_length));
  const Vec mantissa = number(value.digits);
  hn::StoreU(hn::TruncateTo(Positions{}, hn::Sub(number(index.bytes), base)), Positions{}, out.indices + at);
  hn::StoreU(value_of(value, mantissa), Doubles{}, out.values + at);
  Vec wrong = hn::Or(hn::Or(wrong_length(index_length), wrong_length(value_length)),
                     hn::Or(wrong_digits(index.bytes), hn::Or(wrong_digits(value.digits), value.wrong)));
  Vec zero = hn::VecFromMask(words, hn::Eq(mantissa, hn::Zero(words)));
  if (count < lanes) {
    const auto active = hn::FirstN(words, count);
    wrong = hn::IfThenElseZero(active, wrong);
    zero = hn::IfThenElseZero(active, zero);
  }
  seen.wrong = hn::Or(seen.wrong, wrong);
  seen.zero = hn::Or(seen.zero, zero);
}

HWY_INLINE bool any(Vec v) {
  return !hn::AllFalse(Words{}, hn::Ne(v, hn::Zero(Words{})));
}

PairsRead read_pairs(const PairTokens& tokens, FeatureView::Index base, double squares,
                     const Examples::Room& out) {
  const Vec base_of_all = set(base);
  Seen seen{hn::Zero(Words{}), hn::Zero(Words{})};
  double sum = squares;
  std::size_t at = 0;
  for (; at + lanes <= tokens.count; at += lanes) {
    read_group(tokens, at, lanes, base_of_all, out, seen);
    for (std::size_t k = at; k < at + lanes; ++k) sum += out.values[k] * out.values[k];
  }
  if (at < tokens.count) {
    read_group(tokens, at, tokens.count - at, base_of_all, out, seen);
    for (; at < tokens.count; ++at) sum += out.values[at] * out.values[at];
  }
  return {.usual = !any(seen.wrong), .has_zero = any(seen.zero), .squared_norm = sum};
}

bool values(const char* text, const Position* colons, const Position* ends, std::size_t count, double* out) {
  Vec wrong = hn::Zero(Words{});
  for (std::size_t at = 0; at < count; at += lanes) {
    const Vec length = hn::Sub(positions(ends + at), positions(colons + at));
    const Decimal value = decimal(token(text, ends + at, length));
    hn::StoreU(value_of(value, number(value.digits)), Doubles{}, out + at);
    const Vec wrong_here = hn::Or(wrong_length(length), hn::Or(wrong_digits(value.digits), value.wrong));
    const auto active = hn::FirstN(Words{}, std::min(count - at, lanes));
    wrong = hn::Or(wrong, hn::IfThenElseZero(active, wrong_here));
  }
  return !any(wrong);
}

#endif

bool all_ascend(const FeatureView::Index* indices, std::size_t count) {
  const hn::CappedTag<std::uint32_t, 16> tag;
  constexpr std::size_t width = hn::MaxLanes(tag);
  std::size_t at = 1;
  for (; at + width <= count; at += width) {
    if (!hn::AllTrue(tag, hn::Lt(hn::LoadU(tag, indices + at - 1), hn::LoadU(tag, indices + at))))
      return false;
  }
  for (; at < count; ++at) {
    if (indices[at - 1] >= indices[at]) return false;
  }
  return true;
}

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace askfew {
namespace {

HWY_EXPORT(read_pairs);
HWY_EXPORT(values);
HWY_EXPORT(all_ascend);

}  // namespace

PairsRead read_pairs(const PairTokens& tokens, FeatureView::Index base, double squares,
                     const Examples::Room& out) {
  return HWY_DYNAMIC_DISPATCH(read_pairs)(tokens, base, squares, out);
}

bool read_values(const char* text, const Position* colons, const Position* ends, std::size_t count,
                 double* out) {
  return HWY_DYNAMIC_DISPATCH(values)(text, colons, ends, count, out);
}

bool ascend(const FeatureView::Index* indices, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(all_ascend)(indices, count);
}

}  // namespace askfew
#endif
