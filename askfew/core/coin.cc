#include "askfew/core/coin.h"

namespace askfew {

void Coin::draw(std::uint64_t counter) {
  counter_ = counter;
  words_ = philox4x64({counter, 0, 0, static_cast<std::uint64_t>(purpose_)}, {key_.seed, key_.task});
}

}  // namespace askfew
