#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "askfew/streams/formats/synthetic/draws.h"

namespace askfew {

/// Draws numbers with given probabilities in constant time (Walker 1977, Vose 1991): each number has a column
/// of height 1, which contains a part of its own number and a part of another number.
class AliasTable {
 public:
  /// REQUIRES: as many weights as numbers, all positive; the sum need not be 1.
  AliasTable(std::span<const std::uint32_t> numbers, std::span<const double> weights);

  /// REQUIRES: the table is not empty.
  std::uint32_t draw(Draws& draws) const {
    __extension__ using Uint128 = unsigned __int128;
    const Uint128 place = Uint128{draws.word()} * columns_.size();
    const Column& column = columns_[static_cast<std::size_t>(place >> 64)];
    const auto height = static_cast<std::uint32_t>(static_cast<std::uint64_t>(place) >> 32);
    // A branch would be mispredicted half of the time.
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
