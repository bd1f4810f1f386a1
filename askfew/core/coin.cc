#include "askfew/core/coin.h"

namespace askfew {

void Coin::draw(std::uint64_t block) {
  block_ = block;
  words_ = words_of(key_, purpose_, block);
}

}  // namespace askfew
