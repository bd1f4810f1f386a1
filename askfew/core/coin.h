#pragma once

#include <array>
#include <cstdint>

#include "askfew/core/expects.h"
#include "askfew/core/philox.h"

namespace askfew {

/// The key of a run's coins. The same seed and task give the same coin in each round, in any order, on any
/// number of threads, in C++ and in Python.
struct CoinKey {
  std::uint64_t seed = 0;
  std::uint64_t task = 0;
};

/// Streams of coins that never overlap.
enum class CoinPurpose : std::uint64_t {
  ask = 0,      ///< one coin per round: is the label asked?
  learner = 1,  ///< randomised learners: one coin per random choice
  example = 2,  ///< synthetic streams: see Draws
  teacher = 3,  ///< synthetic streams: the labels
  shuffle = 4,  ///< orders of examples in experiments
  audit = 5     ///< one coin per round: is the label asked whatever the rule says?
};

/// Philox4x64-10 (Salmon et al. 2011), the counter-based generator of numpy: the n-th coin, n = 1, 2, ..., is
/// the n-th value of `numpy.random.Generator(Philox(counter=[0,0,0,purpose], key=[seed,task])).random()`.
class Coin {
 public:
  static constexpr std::size_t block_size = 4;

  explicit Coin(CoinKey key, CoinPurpose purpose = CoinPurpose::ask) : key_(key), purpose_(purpose) {}

  /// Uniform in [0,1). REQUIRES: n >= 1. The result depends on n only. The last block of four coins is kept:
  /// ascending n needs one new block per four coins.
  double operator()(std::uint64_t n) {
    EXPECTS(n >= 1);
    if (block_of(n) != block_) draw(block_of(n));
    return uniform_of(words_[(n - 1) % block_size]);
  }
  [[nodiscard]] CoinKey key() const { return key_; }

  /// The block of the n-th coin, from 1: numpy increments the counter before it draws.
  static std::uint64_t block_of(std::uint64_t n) { return (n - 1) / block_size + 1; }
  static std::array<std::uint64_t, block_size> words_of(CoinKey key, CoinPurpose purpose,
                                                        std::uint64_t block) {
    return philox4x64({block, 0, 0, static_cast<std::uint64_t>(purpose)}, {key.seed, key.task});
  }

 private:
  void draw(std::uint64_t block);

  CoinKey key_;
  CoinPurpose purpose_;
  std::uint64_t block_ = 0;  // number of the block in words_; 0 before the first block
  std::array<std::uint64_t, block_size> words_{};
};

}  // namespace askfew
