#include "askfew/linalg/toss_table.h"

#include <algorithm>
#include <limits>

#include "askfew/core/expects.h"
#include "askfew/system/instruction_sets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/linalg/toss_table.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef ASKFEW_TOSS_TABLE_ARRAYS
#define ASKFEW_TOSS_TABLE_ARRAYS
namespace askfew {

/// What a decision reads and writes; see TossTable.
struct TossArrays {
  const double* margins;
  const double* half_margins;
  const double* coins;
  double* kept_margins;
  double* probabilities;
  std::uint64_t* asked;
  std::uint64_t* positive;
  std::uint64_t* labels;
};

/// What counting reads and writes.
struct TossCounts {
  const std::uint64_t* asked;
  const std::uint64_t* positive;
  const std::uint64_t* labels;
  double* probabilities;
  std::uint64_t* labelled;
  double* sums;
  std::uint64_t* counts;
};

}  // namespace askfew
#endif

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, CoinTable::at_once>;
using Words = hn::RebindToUnsigned<Doubles>;
constexpr std::size_t width = hn::MaxLanes(Doubles{});

HWY_INLINE std::uint64_t bits_of(hn::Mask<Doubles> mask) {
  std::uint8_t bytes[8] = {};  // Highway may write a whole word
  hn::StoreMaskBits(Doubles{}, mask, bytes);
  return bytes[0];
}

/// Sets the bit of each word to what the mask says.
HWY_INLINE void set_bit(hn::Mask<Words> mask, hn::Vec<Words> bit, std::uint64_t* words) {
  const Words tag;
  const auto others = hn::AndNot(bit, hn::Load(tag, words));
  hn::Store(hn::Or(others, hn::IfThenElseZero(mask, bit)), tag, words);
}

/// Decides for n tasks. `bit`: of this round in the words of the tasks.
TossBits toss_coins(const TossArrays& all, std::size_t n, std::uint64_t labels, std::uint64_t bit) {
  const Doubles tag;
  const Words words;
  const auto most = hn::Set(tag, std::numeric_limits<double>::max());
  const auto round = hn::Set(words, bit);
  const auto bit_of_lane = hn::Shl(hn::Set(words, 1), hn::Iota(words, 0));
  TossBits bits;
  for (std::size_t k = 0; k < n; k += width) {
    const auto margin = hn::Load(tag, all.margins + k);
    const auto size = hn::Abs(margin);
    const auto half = hn::Load(tag, all.half_margins + k);
    const auto probability = hn::Div(half, hn::Add(half, size));
    hn::Store(margin, tag, all.kept_margins + k);
    hn::Store(probability, tag, all.probabilities + k);
    const auto asked = hn::Lt(hn::Load(tag, all.coins + k), probability);
    const auto positive = hn::Gt(margin, hn::Zero(tag));
    bits.asked |= bits_of(asked) << k;
    bits.positive |= bits_of(positive) << k;
    bits.is_finite &= hn::AllTrue(tag, hn::Le(size, most));
    set_bit(hn::RebindMask(words, asked), round, all.asked + k);
    set_bit(hn::RebindMask(words, positive), round, all.positive + k);
    set_bit(hn::TestBit(hn::Set(words, labels >> k), bit_of_lane), round, all.labels + k);
  }
  return bits;
}

HWY_INLINE void count_bits(hn::Vec<Words> bits, std::uint64_t* counts) {
  const Words tag;
  hn::Store(hn::Add(hn::Load(tag, counts), hn::PopulationCount(bits)), tag, counts);
}

/// Counts so many kept rounds of n tasks.
void count_tosses(const TossCounts& all, std::size_t rounds, std::size_t n) {
  const Doubles tag;
  const Words words;
  const auto one = hn::Set(tag, 1.0);
  const auto most = hn::Set(tag, std::numeric_limits<double>::max());
  const auto kept = hn::Set(words, (std::uint64_t{1} << rounds) - 1);
  for (std::size_t k = 0; k < n; k += width) {
    const auto asked = hn::And(hn::Load(words, all.asked + k), kept);
    const auto positive = hn::And(hn::Load(words, all.positive + k), kept);
    const auto label = hn::And(hn::Load(words, all.labels + k), kept);
    count_bits(asked, all.counts + k);
    count_bits(hn::And(positive, label), all.counts + n + k);
    count_bits(hn::AndNot(label, positive), all.counts + 2 * n + k);
    count_bits(hn::AndNot(positive, label), all.counts + 3 * n + k);
    auto sum = hn::Load(tag, all.sums + k);
    auto labelled = hn::Zero(words);
    for (std::size_t round = 0; round < rounds; ++round) {
      const auto bit = hn::Set(words, std::uint64_t{1} << round);
      double* const at = all.probabilities + round * n + k;
      const auto probability = hn::Load(tag, at);
      sum = hn::Add(sum, probability);
      const auto weight = hn::Div(one, probability);
      const auto is_positive = hn::RebindMask(tag, hn::TestBit(label, bit));
      hn::Store(hn::IfThenElse(is_positive, weight, hn::Neg(weight)), tag, at);
      const auto is_finite = hn::RebindMask(words, hn::Le(weight, most));
      labelled = hn::Or(labelled, hn::IfThenElseZero(is_finite, hn::And(asked, bit)));
    }
    hn::Store(sum, tag, all.sums + k);
    hn::Store(labelled, words, all.labelled + k);
  }
}

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace askfew {

ASKFEW_EXPORT(toss_coins);
ASKFEW_EXPORT(count_tosses);

void TossTable::add(CoinKey key) {
  coins_.add(key);
  const std::size_t size = coins_.row(1).size();
  EXPECTS(size <= 64);
  half_margins_.resize(size, 1.0);
  sums_.resize(size);
  for (AlignedVector<std::uint64_t>* words : {&asked_, &positive_, &labels_, &labelled_}) words->resize(size);
  counts_.resize(4 * size);
  for (AlignedVector<double>* rows : {&margins_, &probabilities_}) rows->resize(max_kept * size);
  ++tasks_;
}

TossBits TossTable::toss(std::uint64_t n, std::span<const double> margins, std::uint64_t labels) {
  EXPECTS(kept_ < max_kept && margins.size() >= width());
  const std::uint64_t bit = std::uint64_t{1} << kept_;
  const std::size_t row = place(kept_, 0);
  TossBits toss = ASKFEW_DISPATCH(toss_coins)({.margins = margins.data(),
                                               .half_margins = half_margins_.data(),
                                               .coins = coins_.row(n).data(),
                                               .kept_margins = margins_.data() + row,
                                               .probabilities = probabilities_.data() + row,
                                               .asked = asked_.data(),
                                               .positive = positive_.data(),
                                               .labels = labels_.data()},
                                              width(), labels, bit);
  const std::uint64_t tasks = ~std::uint64_t{0} >> (64 - tasks_);
  toss.asked &= tasks;
  toss.positive &= tasks;
  return toss;
}

void TossTable::close() {
  ASKFEW_DISPATCH(count_tosses)
  ({.asked = asked_.data(),
    .positive = positive_.data(),
    .labels = labels_.data(),
    .probabilities = probabilities_.data(),
    .labelled = labelled_.data(),
    .sums = sums_.data(),
    .counts = counts_.data()},
   kept_, width());
}

void TossTable::reset() {
  clear();
  std::fill(counts_.begin(), counts_.end(), 0);
}

}  // namespace askfew
#endif
