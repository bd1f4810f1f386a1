#include "askfew/core/coin.h"

#include "askfew/core/expects.h"
#include "askfew/core/philox.h"

namespace askfew {

double Coin::operator()(std::uint64_t n) {
  EXPECTS(n >= 1);
  const std::uint64_t counter = (n - 1) / 4 + 1;  // numpy increments the counter before it draws
  if (counter != counter_) {
    counter_ = counter;
    words_ = philox4x64({counter, 0, 0, static_cast<std::uint64_t>(purpose_)}, {key_.seed, key_.task});
  }
  return uniform_of(words_[(n - 1) % 4]);
}

}  // namespace askfew
