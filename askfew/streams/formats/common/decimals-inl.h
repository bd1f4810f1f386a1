// Included once per target by sources that Highway compiles for each target, so there is no ordinary include
// guard.

#include <cstdint>
#include <hwy/highway.h>

#include "askfew/streams/formats/common/nearest_double.h"
#include "askfew/streams/formats/common/tokens-inl.h"

#if defined(ASKFEW_STREAMS_DECIMALS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKFEW_STREAMS_DECIMALS_INL_H_
#undef ASKFEW_STREAMS_DECIMALS_INL_H_
#else
#define ASKFEW_STREAMS_DECIMALS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

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

/// 1 in each byte that equals c.
HWY_INLINE Vec flags_of(Vec bytes, char c) {
  const Bytes tag;
  const auto is_c = hn::Eq(hn::BitCast(tag, bytes), hn::Set(tag, static_cast<std::uint8_t>(c ^ '0')));
  return hn::BitCast(Words{}, hn::IfThenElseZero(is_c, hn::Set(tag, std::uint8_t{1})));
}
/// All bits of the bytes with a flag.
HWY_INLINE Vec whole_bytes(Vec flags) {
  return hn::Sub(left<8>(flags), flags);
}
HWY_INLINE Vec number_of_flags(Vec flags) {
  return hn::SumsOf8(hn::BitCast(Bytes{}, flags));
}

/// [-]digits[.digits] of up to eight characters, without its sign and its point.
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
  return {.digits = hn::IfThenElse(no_point, rest, joined),
          .sign = hn::IfThenElseZero(hn::Ne(minus, hn::Zero(Words{})), set(std::uint64_t{1} << 63)),
          .fraction = number_of_flags(hn::AndNot(not_after, set(each_byte))),
          .wrong = hn::Or(hn::And(hn::Or(point, minus), set(last_byte)), hn::AndNot(first, minus))};
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
    return hn::GatherIndex(Doubles{}, exact_powers_of_ten,
                           hn::BitCast(hn::RebindToSigned<Words>{}, exponent));
  }
}

/// The lowest bits of 2^52 + m are m. REQUIRES: m < 2^52.
HWY_INLINE hn::Vec<Doubles> to_double(Vec m) {
  const Doubles tag;
  return hn::Sub(hn::BitCast(tag, hn::Or(m, set(0x4330'0000'0000'0000))), hn::Set(tag, 0x1p52));
}

/// Up to eight digits are below 2^53, and powers of ten up to the 22nd are exact: one division rounds
/// correctly.
HWY_INLINE hn::Vec<Doubles> value_of(const Decimal& decimal, Vec mantissa) {
  const auto magnitude = hn::Div(to_double(mantissa), power_of_ten(decimal.fraction));
  return hn::Xor(magnitude, hn::BitCast(Doubles{}, decimal.sign));
}

/// The bytes of a token before its last eight, if they are [-][zeros][.], as in -0.00350877: %g writes such
/// numbers.
struct ZeroHead {
  Vec sign;                   // the sign bit of a double
  hn::Mask<Words> has_point;  // then the last eight bytes are digits after the point
  Vec wrong;                  // not 0 if these bytes have another form
};
/// REQUIRES: lengths of up to 16.
template <class Place>
HWY_INLINE ZeroHead zero_head(const char* text, const Place* ends, Vec length) {
  const Vec zero = hn::Zero(Words{});
  const Vec inside = inside_part<1>(length);
  const Vec first = hn::AndNot(left<8>(inside), inside);
  const Vec bytes = hn::And(hn::Xor(bytes_before(Words{}, text - 8, ends), set(each_byte * '0')), inside);
  const Vec minus = hn::And(first, set(each_byte * ('-' ^ '0')));
  const auto has_minus = hn::And(hn::Eq(hn::And(bytes, first), minus), hn::Ne(first, zero));
  const auto has_point = hn::Eq(hn::ShiftRight<56>(bytes), set('.' ^ '0'));
  const Vec rest = hn::Xor(bytes, hn::IfThenElseZero(has_minus, minus));
  return {.sign = hn::IfThenElseZero(has_minus, set(std::uint64_t{1} << 63)),
          .has_point = has_point,
          .wrong = hn::Xor(rest, hn::IfThenElseZero(has_point, set(std::uint64_t{'.' ^ '0'} << 56)))};
}

/// [-]zeros[.]digits[.digits]: up to eight characters after a head. `wrong` is not 0 where a token has
/// another form. REQUIRES: lengths of 1 to 16; no head is wrong.
template <class Place>
HWY_INLINE hn::Vec<Doubles> value_after(const ZeroHead& head, const char* text, const Place* ends, Vec length,
                                        Vec& wrong) {
  const Vec inside = inside_part<0>(length);
  const Vec read = hn::Xor(bytes_before(Words{}, text, ends), set(each_byte * '0'));
  const Decimal decimal = decimal_of({.bytes = hn::And(read, inside), .inside = inside});
  const Vec second_sign = hn::IfThenElseZero(hn::Gt(length, set(8)), decimal.sign);
  const Vec second_point = hn::IfThenElseZero(head.has_point, decimal.fraction);
  wrong = hn::Or(hn::Or(wrong_digits(decimal.digits), decimal.wrong), hn::Or(second_sign, second_point));
  const auto power = hn::IfThenElse(hn::RebindMask(Doubles{}, head.has_point), hn::Set(Doubles{}, 1e8),
                                    power_of_ten(decimal.fraction));
  const auto magnitude = hn::Div(to_double(number(decimal.digits)), power);
  return hn::Xor(magnitude, hn::BitCast(Doubles{}, hn::Or(head.sign, decimal.sign)));
}

/// A digit alone, the last byte. `wrong` is not 0 where it is no digit.
HWY_INLINE hn::Vec<Doubles> value_of_digit(Vec bytes, Vec& wrong) {
  const Vec digit = hn::Xor(hn::ShiftRight<56>(bytes), set('0'));
  wrong = wrong_digits(digit);
  return to_double(digit);
}

// Longer numbers: up to 24 characters in up to three words per lane, and an exponent after them.

constexpr std::size_t most_parts = 3;

/// `e-05` at the end of a token.
struct Exponent {
  Vec length;  // 0: there is none
  Vec value;   // in two's complement
  Vec wrong;
};
/// The exponent in a token's last eight bytes, with the flags of e and E.
HWY_INLINE Exponent exponent_of(Vec bytes, Vec letters) {
  const Vec e = hn::And(letters, hn::Sub(hn::Zero(Words{}), letters));  // the first one
  const Vec sign_place = left<8>(e);
  const Vec not_after = hn::Sub(sign_place, set(1));  // all bytes, if there is no e or nothing after it
  const Vec minus = hn::And(flags_of(bytes, '-'), sign_place);
  const Vec sign = hn::Or(minus, hn::And(flags_of(bytes, '+'), sign_place));
  const Vec digits = hn::AndNot(hn::Or(not_after, whole_bytes(sign)), bytes);
  const Vec magnitude = number(digits);
  const auto is_there = hn::Ne(e, hn::Zero(Words{}));
  const auto is_minus = hn::Ne(minus, hn::Zero(Words{}));
  const Vec after = number_of_flags(hn::AndNot(not_after, set(each_byte)));
  return {.length = hn::IfThenElseZero(is_there, hn::Add(after, set(1))),
          .value = hn::IfThenElse(is_minus, hn::Sub(hn::Zero(Words{}), magnitude), magnitude),
          .wrong = hn::Or(wrong_digits(digits), hn::And(hn::Or(e, sign), set(last_byte)))};
}

/// A whole number times a power of ten.
struct LongDecimal {
  Vec mantissa;
  Vec exponent;  // in two's complement
  Vec sign;      // the sign bit of a double
  Vec wrong;     // not 0 if the token has another form, or more than 19 digits
};

/// The number of the digits in several words, modulo 2^64; the first word is the last one of the text.
template <std::size_t parts>
HWY_INLINE Vec joined_number(const Vec* digits, Vec& wrong) {
  const hn::Repartition<std::uint32_t, Words> halves;
  const auto times = [&](Vec v, std::uint32_t factor)
                         HWY_ATTR { return hn::MulEven(hn::BitCast(halves, v), hn::Set(halves, factor)); };
  Vec sum = number(digits[0]);
  if constexpr (parts > 1) sum = hn::Add(sum, times(number(digits[1]), 100'000'000));
  if constexpr (parts > 2) {
    constexpr std::uint64_t far = 10'000'000'000'000'000;
    const Vec first = number(digits[2]);
    wrong = hn::Or(wrong, hn::VecFromMask(Words{}, hn::Gt(first, set(999))));
    sum = hn::Add(sum, times(first, static_cast<std::uint32_t>(far)));
    sum = hn::Add(sum, left<32>(times(first, static_cast<std::uint32_t>(far >> 32))));
  }
  return sum;
}

/// [sign]digits[.digits] before each end. REQUIRES: lengths of 0 to 8 * parts; 0 is wrong.
template <std::size_t parts, class Place>
HWY_INLINE LongDecimal decimal_of_parts(const char* text, const Place* ends, Vec length) {
  const Vec zero = hn::Zero(Words{});
  // Part k is the k-th word before the end. First the signs and points are found.
  Vec inside[parts + 1];
  Vec rest[parts];
  Vec point[parts];
  inside[parts] = zero;
  inside[0] = inside_part<0>(length);
  if constexpr (parts > 1) inside[1] = inside_part<1>(length);
  if constexpr (parts > 2) inside[2] = inside_part<2>(length);
  Vec minus = zero;
  Vec wrong = hn::VecFromMask(Words{}, hn::Eq(length, zero));
  for (std::size_t k = 0; k < parts; ++k) {
    const Vec read = bytes_before(Words{}, text - 8 * k, ends);
    const Vec bytes = hn::And(hn::Xor(read, set(each_byte * '0')), inside[k]);
    const Vec not_first = hn::Or(left<8>(inside[k]), hn::ShiftRight<56>(inside[k + 1]));
    const Vec here = flags_of(bytes, '-');
    const Vec sign = hn::Or(here, flags_of(bytes, '+'));
    minus = hn::Or(minus, here);
    point[k] = flags_of(bytes, '.');
    rest[k] = hn::AndNot(whole_bytes(sign), bytes);
    wrong = hn::Or(wrong, hn::And(sign, not_first));
    if (k == 0) wrong = hn::Or(wrong, hn::And(hn::Or(point[k], sign), set(last_byte)));
  }
  // The bytes before the point move towards the end by one, and the last of them into the next word. Without
  // a point all bytes are before it, and stay.
  Vec digits[parts];
  Vec after_flags = zero;
  Vec point_flags = zero;
  Vec moving = zero;
  Vec no_point = set(~std::uint64_t{0});
  for (std::size_t k = parts; k-- > 0;) {
    const Vec before = hn::Add(point[k], no_point);  // point - 1, or all bytes, or no byte after a point
    no_point = hn::IfThenElseZero(hn::Eq(point[k], zero), no_point);
    const Vec not_after = hn::Or(before, whole_bytes(point[k]));
    const Vec moves = hn::And(rest[k], before);
    digits[k] = hn::Or(hn::Or(left<8>(moves), moving), hn::AndNot(not_after, rest[k]));
    moving = hn::ShiftRight<56>(moves);
    point_flags = hn::Add(point_flags, point[k]);
    after_flags = hn::Add(after_flags, hn::AndNot(not_after, set(each_byte)));
  }
  wrong = hn::Or(wrong, hn::VecFromMask(Words{}, hn::Gt(number_of_flags(point_flags), set(1))));
  const auto is_whole = hn::Ne(no_point, zero);
  for (std::size_t k = 0; k < parts; ++k) {
    digits[k] = hn::IfThenElse(is_whole, rest[k], digits[k]);
    wrong = hn::Or(wrong, wrong_digits(digits[k]));
  }
  const Vec mantissa = joined_number<parts>(digits, wrong);
  return {.mantissa = mantissa,
          .exponent = hn::Sub(zero, number_of_flags(after_flags)),
          .sign = hn::IfThenElseZero(hn::Ne(minus, zero), set(std::uint64_t{1} << 63)),
          .wrong = wrong};
}

/// The same with as few words as the longest of the tokens needs. A token that is too long is wrong.
template <class Place>
HWY_INLINE LongDecimal decimal_of_any_length(const char* text, const Place* ends, Vec length) {
  const auto fits = hn::Lt(length, set(8 * most_parts + 1));
  const Vec used = hn::IfThenElseZero(fits, length);
  if (hn::AllTrue(Words{}, hn::Lt(used, set(9)))) return decimal_of_parts<1>(text, ends, used);
  if (hn::AllTrue(Words{}, hn::Lt(used, set(17)))) return decimal_of_parts<2>(text, ends, used);
  return decimal_of_parts<most_parts>(text, ends, used);
}

/// `e-05`: the exponent of two digits that %e writes, in a token's last eight bytes. `wrong` is not 0 where
/// they end otherwise.
HWY_INLINE Exponent short_exponent_of(Vec bytes) {
  const Vec zero = hn::Zero(Words{});
  const Vec letter_and_sign = hn::Or(hn::And(hn::ShiftRight<32>(bytes), set(0xFFFF)), set('e' ^ 'E'));
  const auto is_minus = hn::Eq(letter_and_sign, set(('-' ^ '0') << 8 | ('E' ^ '0')));
  const auto is_plus = hn::Eq(letter_and_sign, set(('+' ^ '0') << 8 | ('E' ^ '0')));
  const Vec digits = hn::ShiftRight<48>(bytes);
  const Vec tens = hn::And(digits, set(0xFF));
  const Vec magnitude = hn::Add(hn::Add(left<3>(tens), left<1>(tens)), hn::ShiftRight<8>(digits));
  return {.length = set(4),
          .value = hn::IfThenElse(is_minus, hn::Sub(zero, magnitude), magnitude),
          .wrong = hn::IfThenElse(hn::Or(is_minus, is_plus), wrong_digits(digits), set(1))};
}

/// [sign]digits[.digits][e[sign]digits] before each end. REQUIRES: lanes that are not used have the length 1.
HWY_INLINE LongDecimal long_decimal(const char* text, const Position* ends, Vec end, Vec length) {
  const Vec in_range = hn::And(length, set(31));  // a longer token is wrong, whatever its last bytes are
  const Vec read = hn::Xor(bytes_before(Words{}, text, ends), set(each_byte * '0'));
  const Vec last = hn::And(read, inside_part<0>(in_range));
  // 'E' and 'e' differ in one bit, which is set in 'E' ^ '0'.
  const Vec letters = flags_of(hn::Or(last, set(each_byte * ('e' ^ 'E'))), 'E');
  if (HWY_LIKELY(!any(letters))) return decimal_of_any_length(text, ends, length);
  const auto is_used = hn::Gt(length, set(1));  // a token with an exponent has more than one character
  Exponent exponent = short_exponent_of(last);
  LongDecimal decimal;
  if (HWY_LIKELY(!any(hn::IfThenElseZero(is_used, exponent.wrong)))) {
    decimal = decimal_of_any_length(text - 4, ends, hn::Sub(length, exponent.length));
    exponent.value = hn::IfThenElseZero(is_used, exponent.value);
  } else {
    exponent = exponent_of(last, letters);
    HWY_ALIGN std::int64_t at[lanes];
    const hn::RebindToSigned<Words> places;
    hn::Store(hn::BitCast(places, hn::Sub(end, exponent.length)), places, at);
    decimal = decimal_of_any_length(text, at, hn::Sub(length, exponent.length));
  }
  decimal.exponent = hn::Add(decimal.exponent, exponent.value);
  decimal.wrong = hn::Or(decimal.wrong, exponent.wrong);
  return decimal;
}

/// The quotient of a mantissa of any size and an exact power of ten, in twice the precision: the quotient of
/// doubles and the rest. FMA gives the remainder exactly. The error of `rest` is below 2^-51 of it. Where the
/// sum is rounded to the same double with a little more and a little less, this is the nearest double; other
/// lanes are wrong.
HWY_INLINE hn::Vec<Doubles> divided(Vec mantissa, hn::Vec<Doubles> power, Vec& wrong) {
  const Doubles tag;
  const auto high = hn::Mul(to_double(hn::ShiftRight<32>(mantissa)), hn::Set(tag, 0x1p32));
  const auto low = to_double(hn::And(mantissa, set(0xFFFF'FFFF)));
  const auto m = hn::Add(high, low);
  const auto beyond = hn::Sub(low, hn::Sub(m, high));
  const auto quotient = hn::Div(m, power);
  const auto rest = hn::Div(hn::Add(hn::NegMulAdd(quotient, power, m), beyond), power);
  const auto doubt = hn::Mul(hn::Abs(rest), hn::Set(tag, 0x1p-49));
  const auto least = hn::Add(quotient, hn::Sub(rest, doubt));
  const auto most = hn::Add(quotient, hn::Add(rest, doubt));
  wrong = hn::VecFromMask(Words{}, hn::RebindMask(Words{}, hn::Ne(least, most)));
  return least;
}

/// Values of lanes that cannot be computed together, one by one; a lane without a result becomes wrong.
HWY_NOINLINE hn::Vec<Doubles> nearest_doubles(Vec mantissa, Vec exponent, Vec& wrong) {
  HWY_ALIGN std::uint64_t mantissas[lanes];
  HWY_ALIGN std::uint64_t exponents[lanes];
  HWY_ALIGN std::uint64_t fails[lanes];
  HWY_ALIGN double values[lanes];
  hn::Store(mantissa, Words{}, mantissas);
  hn::Store(exponent, Words{}, exponents);
  for (std::size_t k = 0; k < lanes; ++k) {
    fails[k] = nearest_double(mantissas[k], static_cast<std::int64_t>(exponents[k]), values[k]) ? 0 : 1;
  }
  wrong = hn::Or(wrong, hn::Load(Words{}, fails));
  return hn::Load(Doubles{}, values);
}

/// Where mantissa and power of ten are exact, one division or product rounds correctly.
HWY_INLINE hn::Vec<Doubles> value_of(LongDecimal& decimal) {
  const Doubles tag;
  const hn::RebindToSigned<Words> integers;
  const auto exponent = hn::BitCast(integers, decimal.exponent);
  const auto power = hn::Abs(exponent);
  const auto is_exact = hn::RebindMask(Words{}, hn::Lt(power, hn::Set(integers, std::int64_t{23})));
  const auto is_small = hn::Lt(decimal.mantissa, set(std::uint64_t{1} << 52));
  const auto divides = hn::RebindMask(tag, hn::Lt(exponent, hn::Zero(integers)));
  hn::Vec<Doubles> magnitude;
  if (HWY_LIKELY(hn::AllTrue(Words{}, hn::And(is_exact, is_small)))) {
    const auto scale = hn::GatherIndex(tag, exact_powers_of_ten, power);
    const auto m = to_double(decimal.mantissa);
    magnitude = hn::IfThenElse(divides, hn::Div(m, scale), hn::Mul(m, scale));
  } else {
    Vec fails = set(1);
#if HWY_NATIVE_FMA
    if (hn::AllTrue(Words{}, hn::And(is_exact, hn::RebindMask(Words{}, divides)))) {
      magnitude = divided(decimal.mantissa, hn::GatherIndex(tag, exact_powers_of_ten, power), fails);
    }
#endif
    if (any(fails)) magnitude = nearest_doubles(decimal.mantissa, decimal.exponent, decimal.wrong);
  }
  return hn::Xor(magnitude, hn::BitCast(tag, decimal.sign));
}

#endif

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASKFEW_STREAMS_DECIMALS_INL_H_
