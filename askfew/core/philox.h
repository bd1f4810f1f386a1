#pragma once

#include <array>
#include <cstdint>

namespace askfew {

/// Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011: Philox4x64, 10 rounds.
/// A pure function of counter and key. REQUIRES: the highest word of the counter is a CoinPurpose, so that
/// different purposes never share random numbers.
inline std::array<std::uint64_t, 4> philox4x64(std::array<std::uint64_t, 4> c,
                                               std::array<std::uint64_t, 2> k) {
  __extension__ using Uint128 = unsigned __int128;
  constexpr std::uint64_t m0 = 0xD2E7470EE14C6C93;
  constexpr std::uint64_t m1 = 0xCA5A826395121157;
  constexpr std::uint64_t w0 = 0x9E3779B97F4A7C15;  // golden ratio
  constexpr std::uint64_t w1 = 0xBB67AE8584CAA73B;  // sqrt(3) - 1
  for (int round = 0; round < 10; ++round) {
    const Uint128 p0 = Uint128{m0} * c[0];
    const Uint128 p1 = Uint128{m1} * c[2];
    c = {static_cast<std::uint64_t>(p1 >> 64) ^ c[1] ^ k[0], static_cast<std::uint64_t>(p1),
         static_cast<std::uint64_t>(p0 >> 64) ^ c[3] ^ k[1], static_cast<std::uint64_t>(p0)};
    k[0] += w0;
    k[1] += w1;
  }
  return c;
}

/// Turns a word into a number in [0, 1), as numpy does.
inline double uniform_of(std::uint64_t word) {
  return static_cast<double>(word >> 11) * 0x1.0p-53;
}

}  // namespace askfew
