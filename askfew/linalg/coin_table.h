#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "askfew/core/coin.h"
#include "askfew/linalg/aligned.h"

namespace askfew {

/// The coins of several tasks, round by round: the same numbers as from one Coin per task.
class CoinTable {
 public:
  /// A row has this number of coins or a multiple of it; the coins after those of the tasks mean nothing.
  static constexpr std::size_t at_once = 8;

  void add(CoinKey key);
  /// The n-th coin of every task, valid until the next call. Ascending n needs a new block of coins in every
  /// fourth round. REQUIRES: n >= 1.
  std::span<const double> row(std::uint64_t n) {
    EXPECTS(n >= 1);
    if (Coin::block_of(n) != block_) draw(Coin::block_of(n));
    return rows_[(n - 1) % Coin::block_size];
  }

 private:
  void draw(std::uint64_t block);

  std::size_t tasks_ = 0;
  AlignedVector<std::uint64_t> seeds_;  // by task, and some more to fill a register
  AlignedVector<std::uint64_t> numbers_;
  std::uint64_t block_ = 0;  // the block in rows_; 0 before the first block
  std::array<AlignedVector<double>, Coin::block_size> rows_;
};

}  // namespace askfew
