#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "askfew/core/coin.h"
#include "askfew/core/philox.h"
#include "askfew/math/elementary.h"

namespace askfew {

/// The random numbers for one piece of a synthetic stream: an example or a teacher. They depend only on the
/// seed, the purpose and the number of the piece, so that pieces can be made in any order. They equal those
/// of `numpy.random.Generator(Philox(counter=[0,piece,0,purpose], key=[seed,0]))`.
class Draws {
 public:
  Draws(std::uint64_t seed, CoinPurpose purpose, std::uint64_t piece)
      : counter_{0, piece, 0, static_cast<std::uint64_t>(purpose)}, key_{seed, 0} {}

  /// 64 random bits.
  std::uint64_t word() {
    if (next_ == words_.size()) {
      ++counter_[0];
      words_ = philox4x64(counter_, key_);
      next_ = 0;
    }
    return words_[next_++];
  }
  /// In [0, 1).
  double uniform() { return uniform_of(word()); }

  /// A standard Gaussian, by Marsaglia's polar method: a point of the unit disc gives two numbers; the second
  /// is kept for the next call.
  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    while (true) {
      const double a = 2 * uniform() - 1;
      const double b = 2 * uniform() - 1;
      const double s = a * a + b * b;
      if (s >= 1 || s == 0) continue;
      const double scale = std::sqrt(-2 * math::log(s) / s);
      spare_ = b * scale;
      has_spare_ = true;
      return a * scale;
    }
  }

 private:
  std::array<std::uint64_t, 4> counter_;
  std::array<std::uint64_t, 2> key_;
  std::array<std::uint64_t, 4> words_{};
  std::size_t next_ = 4;
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace askfew
