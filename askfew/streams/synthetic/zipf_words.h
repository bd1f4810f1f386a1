#pragma once

#include <cstdint>
#include <vector>

#include "askfew/streams/synthetic/draws.h"

namespace askfew {

/// Words with Zipf's frequencies: the word of rank r = 1, 2, ... is drawn with a probability proportional to
/// r^-exponent. Which word has which rank is random, as in an alphabetical vocabulary.
class ZipfWords {
 public:
  ZipfWords(std::size_t vocabulary, double exponent, Draws& draws);

  [[nodiscard]] std::size_t size() const { return ranks_.size(); }
  [[nodiscard]] std::size_t rank(std::uint32_t word) const { return ranks_[word]; }
  [[nodiscard]] double probability_of_rank(std::size_t rank) const { return probabilities_[rank - 1]; }

  /// A word, in constant time (Walker 1977, Vose 1991): one of as many columns, each of which holds a part of
  /// its own word and fills up with a part of another's.
  std::uint32_t draw(Draws& draws) const {
    __extension__ using Uint128 = unsigned __int128;
    const Uint128 place = Uint128{draws.word()} * columns_.size();
    const auto word = static_cast<std::uint32_t>(place >> 64);
    const auto height = static_cast<std::uint32_t>(static_cast<std::uint64_t>(place) >> 32);
    const Column& column = columns_[word];
    return height < column.own ? word : column.other;
  }

  /// How many must be drawn, about, until so many different ones are there. REQUIRES: fewer than all.
  [[nodiscard]] double draws_for(double different) const;

 private:
  struct Column {
    std::uint32_t own = 0;  // how much of it is its own word, of 2^32
    std::uint32_t other = 0;
  };
  void fill_columns();

  std::vector<double> probabilities_;  // by rank
  std::vector<std::uint32_t> ranks_;   // by word, from 1 on
  std::vector<Column> columns_;        // by word
};

}  // namespace askfew
