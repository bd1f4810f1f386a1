#pragma once

#include <cstdint>
#include <vector>

#include "askfew/streams/formats/synthetic/draws.h"

namespace askfew {

/// Words with Zipf's frequencies: the word of rank r = 1, 2, ... has a probability proportional to
/// r^-exponent. Ranks are assigned to words at random, as in an alphabetical vocabulary.
class ZipfVocabulary {
 public:
  ZipfVocabulary(std::size_t size, double exponent, Draws& draws);

  [[nodiscard]] std::size_t size() const { return ranks_.size(); }
  [[nodiscard]] std::size_t rank(std::uint32_t word) const { return ranks_[word]; }
  [[nodiscard]] double probability(std::uint32_t word) const { return probabilities_[ranks_[word] - 1]; }

  /// The approximate number of draws until so many different words are drawn. REQUIRES: fewer than all words.
  [[nodiscard]] double draws_for(double different) const;

 private:
  std::vector<double> probabilities_;  // by rank
  std::vector<std::uint32_t> ranks_;   // by word, from 1 on
};

}  // namespace askfew
