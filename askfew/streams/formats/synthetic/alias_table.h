#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "askfew/streams/formats/synthetic/draws.h"

namespace askfew {

/// Draws numbers with given probabilities in constant time (Walker 1977, Vose 1991): there is a column of
/// height 1 for each, which holds a part of its own number and is filled up with a part of another one.
class AliasTable {
 public:
  /// REQUIRES: as many weights as numbers, all positive; they need not sum to 1.
  AliasTable(std::span<const std::uint32_t> numbers, std::span<const double> weights);

  /// REQUIRES: there is a number.
  std::uint32_t draw(Draws& draws) const {
    __extension__ using Uint128 = unsigned __int128;
    const Uint128 place = Uint128{draws.word()} * columns_.size();
    const Column& column = columns_[static_cast<std::size_t>(place >> 64)];
    const auto height = static_cast<std::uint32_t>(static_cast<std::uint64_t>(place) >> 32);
    // A branch would be guessed wrong half of the time.
    const std::uint32_t takes_other = height < column.own_part ? 0 : 1;
    return column.own ^ ((column.own ^ column.other) & -takes_other);
  }

 private:
  struct Column {
    std::uint32_t own_part = 0;  // of 2^32
    std::uint32_t own = 0;
    std::uint32_t other = 0;
  };
  std::vector<Column> columns_;
};

}  // namespace askfew
