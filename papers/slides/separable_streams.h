#pragma once

#include <cstdint>

#include "askfew/catalog/catalog.h"

namespace askfew::slides {

/// How instances are chosen. All have norm 1, and a teacher u of norm U has y u.x >= 1.
enum class Chooser : std::uint8_t {
  chance,    ///< u.x/U is uniform on both sides of the gap: `synthetic:separable`
  adversary  ///< sees the weights, and chooses an x with y u.x = 1 that they classify just wrongly
};

struct SeparableStream {
  Chooser chooser = Chooser::chance;
  std::size_t dimension = 2;
  double norm = 1;  ///< U
  std::uint64_t seed = 1;
};

/// The results of a learner that saw every label.
struct Played {
  double mistakes = 0;
  double updates = 0;
  double squares = 0;  ///< sum of (u.x)^2 over the updates
};

/// `rounds` is the number of rounds of a stream by chance; the adversary plays until it finds no further
/// mistake.
Played play(const SamplerConfig& learner, const SeparableStream& stream, std::uint64_t rounds);

}  // namespace askfew::slides
