#include "askfew/linalg/coin_table.h"

#include "askfew/system/instruction_sets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "askfew/linalg/coin_table.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace askfew::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The 128 bits of word * factor, lane by lane, from four products of halves.
template <class Words, class Word = hn::Vec<Words>>
HWY_INLINE void multiply(Words words, Word word, std::uint64_t factor, Word& high, Word& low) {
  const hn::Repartition<std::uint32_t, Words> halves;
  const auto product = [&](Word a, std::uint64_t b) {  // of the low halves
    return hn::MulEven(hn::BitCast(halves, a), hn::BitCast(halves, hn::Set(words, b)));
  };
  const Word low_halves = hn::Set(words, 0xFFFFFFFF);
  const Word word_high = hn::ShiftRight<32>(word);
  const Word low_low = product(word, factor);
  const Word low_high = hn::Add(product(word, factor >> 32), hn::ShiftRight<32>(low_low));
  const Word middle = hn::Add(product(word_high, factor), hn::And(low_high, low_halves));
  high = hn::Add(hn::Add(product(word_high, factor >> 32), hn::ShiftRight<32>(low_high)),
                 hn::ShiftRight<32>(middle));
  low = hn::BitCast(
      words, hn::OddEven(hn::BitCast(halves, hn::ShiftLeft<32>(middle)), hn::BitCast(halves, low_low)));
}

/// Coin::words_of for some registers of keys, as coins. Two registers hide that each step waits for the last.
template <std::size_t registers, class Words>
HWY_INLINE void draw_registers(Words words, std::uint64_t block, const std::uint64_t* seeds,
                               const std::uint64_t* numbers,
                               const std::array<double*, Coin::block_size>& coins) {
  using Word = hn::Vec<Words>;
  const hn::RebindToFloat<Words> doubles;
  Word c[registers][Coin::block_size];
  Word k0[registers];
  Word k1[registers];
  HWY_UNROLL(2)
  for (std::size_t r = 0; r < registers; ++r) {
    c[r][0] = hn::Set(words, block);
    c[r][1] = c[r][2] = hn::Zero(words);
    c[r][3] = hn::Set(words, static_cast<std::uint64_t>(CoinPurpose::ask));
    k0[r] = hn::Load(words, seeds + r * hn::MaxLanes(words));
    k1[r] = hn::Load(words, numbers + r * hn::MaxLanes(words));
  }
  HWY_UNROLL(10)
  for (int round = 0; round < philox_rounds; ++round) {
    HWY_UNROLL(2)
    for (std::size_t r = 0; r < registers; ++r) {
      Word high0;
      Word low0;
      Word high1;
      Word low1;
      multiply(words, c[r][0], philox_factors[0], high0, low0);
      multiply(words, c[r][2], philox_factors[1], high1, low1);
      c[r][0] = hn::Xor(hn::Xor(high1, c[r][1]), k0[r]);
      c[r][1] = low1;
      c[r][2] = hn::Xor(hn::Xor(high0, c[r][3]), k1[r]);
      c[r][3] = low0;
      k0[r] = hn::Add(k0[r], hn::Set(words, philox_steps[0]));
      k1[r] = hn::Add(k1[r], hn::Set(words, philox_steps[1]));
    }
  }
  HWY_UNROLL(2)
  for (std::size_t r = 0; r < registers; ++r) {
    HWY_UNROLL(4)
    for (std::size_t n = 0; n < Coin::block_size; ++n) {
      const auto top = hn::BitCast(hn::RebindToSigned<Words>(), hn::ShiftRight<11>(c[r][n]));
      const auto coin = hn::Mul(hn::ConvertTo(doubles, top), hn::Set(doubles, 0x1.0p-53));
      hn::Store(coin, doubles, coins[n] + r * hn::MaxLanes(words));
    }
  }
}

/// The coins of `tasks` keys. Narrow registers take longer than the processor's own products of 128 bits.
template <class Words>
HWY_INLINE void draw_all(Words words, std::uint64_t block, const std::uint64_t* seeds,
                         const std::uint64_t* numbers, std::size_t tasks,
                         const std::array<double*, Coin::block_size>& coins) {
  constexpr std::size_t wide = CoinTable::at_once;
  const auto from = [&](std::size_t k) {
    return std::array{coins[0] + k, coins[1] + k, coins[2] + k, coins[3] + k};
  };
  std::size_t k = 0;
  if constexpr (hn::MaxLanes(Words{}) == wide) {
    for (; k + wide < tasks; k += 2 * wide) draw_registers<2>(words, block, seeds + k, numbers + k, from(k));
    if (k < tasks) draw_registers<1>(words, block, seeds + k, numbers + k, from(k));
  } else {
    for (; k < tasks; ++k) {
      const auto drawn = Coin::words_of({.seed = seeds[k], .task = numbers[k]}, CoinPurpose::ask, block);
      for (std::size_t n = 0; n < drawn.size(); ++n) coins[n][k] = uniform_of(drawn[n]);
    }
  }
}

void draw_coins(std::uint64_t block, const std::uint64_t* seeds, const std::uint64_t* numbers,
                std::size_t tasks, const std::array<double*, Coin::block_size>& coins) {
  draw_all(hn::CappedTag<std::uint64_t, CoinTable::at_once>(), block, seeds, numbers, tasks, coins);
}

}  // namespace askfew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace askfew {

ASKFEW_EXPORT(draw_coins);

void CoinTable::add(CoinKey key) {
  const std::size_t width = (tasks_ + at_once) / at_once * at_once;
  seeds_.resize(width);
  numbers_.resize(width);
  seeds_[tasks_] = key.seed;
  numbers_[tasks_] = key.task;
  ++tasks_;
  block_ = 0;
  for (AlignedVector<double>& row : rows_) row.resize(width);
}

void CoinTable::draw(std::uint64_t block) {
  block_ = block;
  ASKFEW_DISPATCH(draw_coins)
  (block, seeds_.data(), numbers_.data(), tasks_,
   {rows_[0].data(), rows_[1].data(), rows_[2].data(), rows_[3].data()});
}

}  // namespace askfew
#endif
