#include "askfew/streams/formats/common/pairs.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "askfew/streams/formats/common/number.h"
#include "askfew/system/instruction_sets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/streams/formats/common/pairs.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "askfew/streams/formats/common/decimals-inl.h"

#ifndef ASKFEW_STREAMS_PAIRS_ONE_BY_ONE
#define ASKFEW_STREAMS_PAIRS_ONE_BY_ONE
namespace askfew {
namespace {

/// Reads the value between two marks, of any form.
bool read_one_value(const char* text, Position before, Position end, double& value) {
  if (before >= end) return false;
  const std::string_view token(text + before + 1, end - before - 1);
  return read_number(token, value) && std::isfinite(value);
}

/// Reads the index between two marks.
bool read_one_index(const char* text, Position before, Position end, FeatureView::Index& index) {
  if (before >= end) return false;
  const auto [past, error] = std::from_chars(text + before + 1, text + end, index);
  return error == std::errc{} && past == text + end;
}

}  // namespace
}  // namespace askfew
#endif

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

PairsRead read_pairs(const PairTokens& tokens, FeatureView::Index base, double squares,
                     const Examples::Room& out) {
  PairsRead read{.usual = true, .squared_norm = squares};
  for (std::size_t k = 0; k < tokens.count; ++k) {
    FeatureView::Index index = 0;
    double& value = out.values[k];
    if (!read_one_index(tokens.text, tokens.ends[k], tokens.colons[k], index) ||
        !read_one_value(tokens.text, tokens.colons[k], tokens.ends[k + 1], value)) {
      return {};
    }
    out.indices[k] = index - base;
    read.has_zero |= value == 0;
    read.squared_norm += value * value;
  }
  return read;
}

std::size_t values(const char* text, const Position* before, const Position* ends, std::size_t count,
                   double* out) {
  std::size_t k = 0;
  while (k < count && read_one_value(text, before[k], ends[k], out[k])) ++k;
  return k;
}

#else

static_assert(lanes <= pair_slack && lanes <= spare_marks);

HWY_INLINE bool any_of_first(std::size_t count, Vec v) {
  return any(hn::IfThenElseZero(hn::FirstN(Words{}, count), v));
}

/// Stores the indices of the first `count` pairs from pair `at` on; more may be overwritten. False if an
/// index is not a whole number below 2^32.
HWY_INLINE bool read_indices(const PairTokens& tokens, std::size_t at, std::size_t count,
                             FeatureView::Index base, FeatureView::Index* out) {
  const Position* const before = tokens.ends + at;
  const Position* const ends = tokens.colons + at;
  const Vec length = hn::Sub(positions(ends), positions(before));
  const Token index = token(bytes_before(Words{}, tokens.text, ends), length);
  hn::StoreU(hn::TruncateTo(Positions{}, hn::Sub(number(index.bytes), set(base))), Positions{}, out + at);
  const Vec wrong = hn::Or(wrong_length(length), wrong_digits(index.bytes));
  if (HWY_LIKELY(!any_of_first(count, wrong))) return true;
  for (std::size_t k = 0; k < count; ++k) {
    FeatureView::Index one = 0;
    if (!read_one_index(tokens.text, before[k], ends[k], one)) return false;
    out[at + k] = one - base;
  }
  return true;
}

/// Stores the first `count` pairs from pair `at` on, or more, if they are an index of up to six digits and
/// one digit as value, as in 4711:1: the same eight bytes have both. False if a pair has another form.
HWY_INLINE bool read_short_pairs(const PairTokens& tokens, std::size_t at, std::size_t count,
                                 FeatureView::Index base, const Examples::Room& out) {
  const Position* const ends = tokens.ends + at + 1;
  const Vec colon = positions(tokens.colons + at);
  const Vec length = hn::Sub(colon, positions(ends - 1));  // of the index, including the colon
  const auto is_long = hn::Gt(hn::Sub(length, set(2)), set(5));
  const Vec other =
      hn::Or(hn::VecFromMask(Words{}, is_long), hn::Xor(hn::Sub(positions(ends), colon), set(2)));
  if (any_of_first(count, other)) return false;
  const Vec bytes = bytes_before(Words{}, tokens.text, ends);
  const Token index = token(left<16>(bytes), length);
  hn::StoreU(hn::TruncateTo(Positions{}, hn::Sub(number(index.bytes), set(base))), Positions{},
             out.indices + at);
  Vec wrong;
  hn::StoreU(value_of_digit(bytes, wrong), Doubles{}, out.values + at);
  return !any_of_first(count, hn::Or(wrong, wrong_digits(index.bytes)));
}

/// Stores `count` values, of up to 24 characters and an exponent several at a time, of other forms one by
/// one. Returns the number of values before the first that is not a finite number.
HWY_NOINLINE std::size_t read_long_values(const char* text, const Position* before, const Position* ends,
                                          std::size_t count, double* out) {
  const Vec end = positions(ends);
  const Vec length = hn::Sub(hn::Sub(end, positions(before)), set(1));
  LongDecimal decimal =
      long_decimal(text, ends, end, hn::IfThenElse(hn::FirstN(Words{}, count), length, set(1)));
  hn::StoreU(value_of(decimal), Doubles{}, out);
  if (HWY_LIKELY(!any_of_first(count, decimal.wrong))) return count;
  HWY_ALIGN std::uint64_t wrong[lanes];
  hn::Store(decimal.wrong, Words{}, wrong);
  for (std::size_t k = 0; k < count; ++k) {
    if (wrong[k] != 0 && !read_one_value(text, before[k], ends[k], out[k])) return k;
  }
  return count;
}

/// Stores `count` values; more may be overwritten. Returns the number of values before the first that is not
/// a finite number.
HWY_INLINE std::size_t read_group(const char* text, const Position* before, const Position* ends,
                                  std::size_t count, double* out) {
  const Vec length = hn::Sub(positions(ends), positions(before));
  if (!any_of_first(count, hn::Xor(length, set(2)))) {
    Vec wrong;
    hn::StoreU(value_of_digit(bytes_before(Words{}, text, ends), wrong), Doubles{}, out);
    if (!any_of_first(count, wrong)) return count;
  }
  if (!any_of_first(count, wrong_length(length))) {
    const Decimal decimal = decimal_of(token(bytes_before(Words{}, text, ends), length));
    hn::StoreU(value_of(decimal, number(decimal.digits)), Doubles{}, out);
    if (!any_of_first(count, hn::Or(wrong_digits(decimal.digits), decimal.wrong))) return count;
  }
  // Up to three characters more, as in -0.00350877. Lanes after the first `count` may have any length.
  const Vec size = hn::IfThenElse(hn::FirstN(Words{}, count), hn::Sub(length, set(1)), set(1));
  if (hn::AllTrue(Words{}, hn::Lt(hn::Sub(size, set(1)), set(11)))) {
    const ZeroHead head = zero_head(text, ends, size);
    if (!any_of_first(count, head.wrong)) {
      Vec wrong;
      hn::StoreU(value_after(head, text, ends, size, wrong), Doubles{}, out);
      if (!any_of_first(count, wrong)) return count;
    }
  }
  return read_long_values(text, before, ends, count, out);
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

PairsRead read_pairs(const PairTokens& tokens, FeatureView::Index base, double squares,
                     const Examples::Room& out) {
  const Doubles tag;
  SumOfSquares sum(squares);
  auto zero = hn::Zero(tag);  // not 0 where a value is 0
  const auto add = [&](std::size_t at, std::size_t count) HWY_ATTR {
    const auto active = hn::FirstN(tag, count);
    const auto values = hn::LoadU(tag, out.values + at);
    zero = hn::Or(zero, hn::VecFromMask(tag, hn::And(active, hn::Eq(values, hn::Zero(tag)))));
    sum.add(hn::IfThenElseZero(active, values));
  };
  const auto count_from = [&](std::size_t at) HWY_ATTR { return std::min(tokens.count - at, lanes); };
  std::size_t at = 0;
  for (; at < tokens.count && read_short_pairs(tokens, at, count_from(at), base, out); at += lanes) {
    add(at, count_from(at));
  }
  for (; at < tokens.count; at += lanes) {
    const std::size_t count = count_from(at);
    if (!read_indices(tokens, at, count, base, out.indices) ||
        read_group(tokens.text, tokens.colons + at, tokens.ends + at + 1, count, out.values + at) != count) {
      return {};
    }
    add(at, count);
  }
  return {.usual = true, .has_zero = any(hn::BitCast(Words{}, zero)), .squared_norm = sum.finish()};
}

std::size_t values(const char* text, const Position* before, const Position* ends, std::size_t count,
                   double* out) {
  for (std::size_t at = 0; at < count; at += lanes) {
    const std::size_t wanted = std::min(count - at, lanes);
    const std::size_t read = read_group(text, before + at, ends + at, wanted, out + at);
    if (read != wanted) return at + read;
  }
  return count;
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

ASKFEW_EXPORT(read_pairs);
ASKFEW_EXPORT(values);
ASKFEW_EXPORT(all_ascend);

}  // namespace

PairsRead read_pairs(const PairTokens& tokens, FeatureView::Index base, double squares,
                     const Examples::Room& out) {
  return ASKFEW_DISPATCH(read_pairs)(tokens, base, squares, out);
}

std::size_t read_values(const char* text, const Position* before, const Position* ends, std::size_t count,
                        double* out) {
  return ASKFEW_DISPATCH(values)(text, before, ends, count, out);
}

bool ascend(const FeatureView::Index* indices, std::size_t count) {
  return ASKFEW_DISPATCH(all_ascend)(indices, count);
}

}  // namespace askfew
#endif
