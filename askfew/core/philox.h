#pragma once

#include <array>
#include <cstdint>

namespace askfew {

// Philox4x64-10: what each of its rounds multiplies by and adds to the key.
inline constexpr int philox_rounds = 10;
inline constexpr std::array<std::uint64_t, 2> philox_factors{0xD2E7470EE14C6C93, 0xCA5A826395121157};
inline constexpr std::array<std::uint64_t, 2> philox_steps{0x9E3779B97F4A7C15,   // golden ratio
                                                           0xBB67AE8584CAA73B};  // sqrt(3) - 1

/// Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011: Philox4x64, 10 rounds.
/// A pure function of counter and key. REQUIRES: the highest word of the counter is a CoinPurpose, so that
/// different purposes never share random numbers.
inline std::array<std::uint64_t, 4> philox4x64(std::array<std::uint64_t, 4> c,
                                               std::array<std::uint64_t, 2> k) {
  __extension__ using Uint128 = unsigned __int128;
  auto [c0, c1, c2, c3] = c;
  auto [k0, k1] = k;
#pragma GCC unroll 10
  for (int round = 0; round < philox_rounds; ++round) {
    const Uint128 p0 = Uint128{philox_factors[0]} * c0;
    const Uint128 p1 = Uint128{philox_factors[1]} * c2;
    c0 = static_cast<std::uint64_t>(p1 >> 64) ^ c1 ^ k0;
    c1 = static_cast<std::uint64_t>(p1);
    c2 = static_cast<std::uint64_t>(p0 >> 64) ^ c3 ^ k1;
    c3 = static_cast<std::uint64_t>(p0);
    k0 += philox_steps[0];
    k1 += philox_steps[1];
  }
  return {c0, c1, c2, c3};
}

/// Turns a word into a number in [0, 1), as numpy does.
inline double uniform_of(std::uint64_t word) {
  return static_cast<double>(word >> 11) * 0x1.0p-53;
}

}  // namespace askfew
