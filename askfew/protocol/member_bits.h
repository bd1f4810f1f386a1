#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "askfew/core/label.h"

namespace askfew {

// Sets of the members of a group, as bits: bit k belongs to the k-th member.

inline constexpr std::size_t max_members = 64;

/// The members whose labels are positive. REQUIRES: at most 64 labels.
std::uint64_t positive_bits(std::span<const Label> labels);

/// The first n members. REQUIRES: n <= 64.
inline std::uint64_t low_bits(std::size_t n) {
  return n == 0 ? 0 : ~std::uint64_t{0} >> (max_members - n);
}
inline bool has_bit(std::uint64_t bits, std::size_t k) {
  return (bits >> k & 1) != 0;
}
/// The k-th label, if the bits are of positive labels.
inline Label label_at(std::uint64_t bits, std::size_t k) {
  return has_bit(bits, k) ? Label::positive : Label::negative;
}
/// Calls f(k) for each bit, in ascending order.
template <class F>
void for_each_bit(std::uint64_t bits, const F& f) {
  for (; bits != 0; bits &= bits - 1) f(static_cast<std::size_t>(std::countr_zero(bits)));
}

}  // namespace askfew
