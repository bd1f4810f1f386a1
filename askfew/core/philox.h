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
  auto [c0, c1, c2, c3] = c;
  auto [k0, k1] = k;
#pragma GCC unroll 10
  for (int round = 0; round < 10; ++round) {
    const Uint128 p0 = Uint128{m0} * c0;
    const Uint128 p1 = Uint128{m1} * c2;
    c0 = static_cast<std::uint64_t>(p1 >> 64) ^ c1 ^ k0;
    c1 = static_cast<std::uint64_t>(p1);
    c2 = static_cast<std::uint64_t>(p0 >> 64) ^ c3 ^ k1;
    c3 = static_cast<std::uint64_t>(p0);
    k0 += w0;
    k1 += w1;
  }
  return {c0, c1, c2, c3};
}

/// Turns a word into a number in [0, 1), as numpy does.
inline double uniform_of(std::uint64_t word) {
  return static_cast<double>(word >> 11) * 0x1.0p-53;
}

}  // namespace askfew
