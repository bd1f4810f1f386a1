#include "askfew/streams/formats/common/pairs.h"

#include <algorithm>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/streams/formats/common/pairs.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

PairsRead read_pairs(const PairTokens& /*tokens*/, FeatureView::Index /*base*/, double /*squares*/,
                     const Examples::Room& /*out*/) {
  return {};  // no vector registers: the caller reads the pairs one by one
}

bool values(const char* /*text*/, const Position* /*colons*/, const Position* /*ends*/, std::size_t /*count*/,
            double* /*out*/) {
  return false;
}

#else

// One token per lane: its bytes end with the lane's last byte, so that a number's last digit always has the
// same place.
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

/// The eight bytes before each of several positions. (Gather instructions are slower.)
template <class Tag>
HWY_INLINE hn::Vec<Tag> bytes_before(Tag tag, const char* text, const Position* at) {
  if constexpr (hn::MaxLanes(tag) == 1) {
    return hn::LoadU(tag, reinterpret_cast<const std::uint64_t*>(text + *at - 8));
  } else {
    const hn::Half<Tag> half;
    return hn::Combine(tag, bytes_before(half, text, at + hn::MaxLanes(half)), bytes_before(half, text, at));
  }
}

/// A token's bytes, with digits as 0 to 9, and zeros before the token. `length` includes the mark after the
/// token.
struct Token {
  Vec bytes;
  Vec inside;  // all bits of the token's bytes
};
HWY_INLINE Token token(const char* text, const Position* ends, Vec length) {
  const Vec read = bytes_before(Words{}, text, ends);
  // Number of bits before the token; kept in range even for a wrong length, which is detected elsewhere.
  const Vec missing = hn::And(hn::Sub(set(72), left<3>(length)), set(63));
  const Vec inside = hn::Shl(set(~std::uint64_t{0}), missing);
  return {hn::And(hn::Xor(read, set(each_byte * '0')), inside), inside};
}

/// Not 0 if a length, including the mark, is not 2 to 9.
HWY_INLINE Vec wrong_length(Vec length) {
  return hn::AndNot(set(7), hn::Sub(length, set(2)));
}
/// Not 0 if a byte is not 0 to 9.
HWY_INLINE Vec wrong_digits(Vec digits) {
  const Bytes tag;
  return hn::BitCast(Words{}, hn::SaturatedSub(hn::BitCast(tag, digits), hn::Set(tag, std::uint8_t{9})));
}

/// The number of eight digits, the first in the lowest byte: combines tens with ones, then pairs with pairs,
/// then fours with fours.
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
  Vec fraction;  // number of digits after the point
  Vec wrong;     // not 0 if the last byte is not a digit, or a minus is not first
};
HWY_INLINE Decimal decimal_of(const Token& token) {
  const Bytes bytes;
  const Vec first = hn::AndNot(left<8>(token.inside), token.inside);
  const auto each = hn::BitCast(bytes, token.bytes);
  const auto one = hn::Set(bytes, std::uint8_t{1});
  const auto is_minus = hn::Eq(each, hn::Set(bytes, std::uint8_t{'-' ^ '0'}));
  const auto is_point = hn::Eq(each, hn::Set(bytes, std::uint8_t{'.' ^ '0'}));
  const Vec rest = hn::BitCast(Words{}, hn::IfThenZeroElse(is_minus, each));
  const Vec minus = hn::BitCast(Words{}, hn::IfThenElseZero(is_minus, one));
  const Vec point = hn::BitCast(Words{}, hn::IfThenElseZero(is_point, one));
  // Without a point, all digits are "before" it, and must not move.
  const Vec before = hn::Sub(point, set(1));
  const Vec not_after = hn::Sub(left<8>(point), set(1));
  const Vec joined = hn::Or(left<8>(hn::And(rest, before)), hn::AndNot(not_after, rest));
  const auto no_point = hn::Eq(point, hn::Zero(Words{}));
  const auto after = hn::BitCast(bytes, hn::AndNot(not_after, set(each_byte)));
  return {.digits = hn::IfThenElse(no_point, rest, joined),
          .sign = hn::IfThenElseZero(hn::Ne(minus, hn::Zero(Words{})), set(std::uint64_t{1} << 63)),
          .fraction = hn::SumsOf8(after),
          .wrong = hn::Or(hn::And(hn::Or(point, minus), set(std::uint64_t{0xFF} << 56)),
                          hn::AndNot(first, minus))};
}

/// 10^0 to 10^7 have only zeros in the lower half of their bits.
HWY_INLINE hn::Vec<Doubles> power_of_ten(Vec exponent) {
  // Written twice, for registers of sixteen.
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

/// Up to eight digits are below 2^53, and powers of ten up to the 22nd are exact: one division rounds
/// correctly.
HWY_INLINE hn::Vec<Doubles> value_of(const Decimal& decimal, Vec mantissa) {
  const Doubles tag;
  // The lowest bits of 2^52 + m are m.
  const auto shifted = hn::BitCast(tag, hn::Or(mantissa, set(0x4330'0000'0000'0000)));
  const auto m = hn::Sub(shifted, hn::Set(tag, 0x1p52));
  return hn::Xor(hn::Div(m, power_of_ten(decimal.fraction)), hn::BitCast(tag, decimal.sign));
}

HWY_INLINE Vec positions(const Position* from) {
  return hn::PromoteTo(Words{}, hn::LoadU(Positions{}, from));
}

/// The collected flags of a line's pairs.
struct Seen {
  Vec wrong;  // not 0 if a pair has an unusual form
  Vec zero;   // not 0 if a value is 0
};

/// Reads one pair per lane and returns the values.
HWY_INLINE hn::Vec<Doubles> read_group(const PairTokens& tokens, std::size_t at, Vec base,
                                       const Examples::Room& out, Seen& seen) {
  const Vec colon = positions(tokens.colons + at);
  const Vec index_length = hn::Sub(colon, positions(tokens.ends + at));
  const Vec value_length = hn::Sub(positions(tokens.ends + at + 1), colon);
  const Token index = token(tokens.text, tokens.colons + at, index_length);
  const Decimal decimal = decimal_of(token(tokens.text, tokens.ends + at + 1, value_length));
  const Vec mantissa = number(decimal.digits);
  const auto value = value_of(decimal, mantissa);
  hn::StoreU(hn::TruncateTo(Positions{}, hn::Sub(number(index.bytes), base)), Positions{}, out.indices + at);
  hn::StoreU(value, Doubles{}, out.values + at);
  seen = {
      .wrong = hn::Or(hn::Or(wrong_length(index_length), wrong_length(value_length)),
                      hn::Or(wrong_digits(index.bytes), hn::Or(wrong_digits(decimal.digits), decimal.wrong))),
      .zero = hn::VecFromMask(Words{}, hn::Eq(mantissa, hn::Zero(Words{})))};
  return value;
}

/// Adds squares in order. Each step adds the squares of the step before, so that no addition waits for a
/// product.
class SumOfSquares {
 public:
  explicit SumOfSquares(double begin) : sum_(begin) {}

  HWY_INLINE void add(hn::Vec<Doubles> values) {
    add_waiting(std::make_index_sequence<lanes>{});
    hn::Store(hn::Mul(values, values), Doubles{}, waiting_);
  }
  HWY_INLINE double finish() {
    add_waiting(std::make_index_sequence<lanes>{});
    return sum_;
  }

 private:
  template <std::size_t... k>
  HWY_INLINE void add_waiting(std::index_sequence<k...> /*lanes*/) {
    ((sum_ += waiting_[k]), ...);
  }

  double sum_;
  HWY_ALIGN double waiting_[lanes] = {};
};

HWY_INLINE bool any(Vec v) {
  return !hn::AllFalse(Words{}, hn::Ne(v, hn::Zero(Words{})));
}

PairsRead read_pairs(const PairTokens& tokens, FeatureView::Index base, double squares,
                     const Examples::Room& out) {
  const Vec base_of_all = set(base);
  Seen seen{hn::Zero(Words{}), hn::Zero(Words{})};
  Seen here = seen;
  SumOfSquares sum(squares);
  std::size_t at = 0;
  for (; at + lanes <= tokens.count; at += lanes) {
    sum.add(read_group(tokens, at, base_of_all, out, here));
    seen = {hn::Or(seen.wrong, here.wrong), hn::Or(seen.zero, here.zero)};
  }
  if (at < tokens.count) {
    const auto values = read_group(tokens, at, base_of_all, out, here);
    const auto active = hn::FirstN(Words{}, tokens.count - at);
    sum.add(hn::IfThenElseZero(hn::RebindMask(Doubles{}, active), values));
    seen = {hn::Or(seen.wrong, hn::IfThenElseZero(active, here.wrong)),
            hn::Or(seen.zero, hn::IfThenElseZero(active, here.zero))};
  }
  return {.usual = !any(seen.wrong), .has_zero = any(seen.zero), .squared_norm = sum.finish()};
}

bool values(const char* text, const Position* colons, const Position* ends, std::size_t count, double* out) {
  Vec wrong = hn::Zero(Words{});
  for (std::size_t at = 0; at < count; at += lanes) {
    const Vec length = hn::Sub(positions(ends + at), positions(colons + at));
    const Decimal value = decimal_of(token(text, ends + at, length));
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
