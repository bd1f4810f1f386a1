#include "askfew/core/coin_table.h"

namespace askfew {

void CoinTable::add(CoinKey key) {
  keys_.push_back(key);
  block_ = 0;
  for (std::vector<double>& row : rows_) row.resize((keys_.size() + at_once - 1) / at_once * at_once);
}

void CoinTable::draw(std::uint64_t block) {
  block_ = block;
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    const auto words = Coin::words_of(keys_[k], CoinPurpose::ask, block);
    for (std::size_t n = 0; n < words.size(); ++n) rows_[n][k] = uniform_of(words[n]);
  }
}

}  // namespace askfew
