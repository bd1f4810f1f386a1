#pragma once

#include <cstdint>

#include "askfew/catalog/catalog.h"

namespace askfew::slides {

/// Who chooses the instances; all have norm 1, and a teacher of norm U has y u.x >= 1.
enum class Chooser : std::uint8_t {
  chance,    ///< u.x/U is uniform on both sides of the gap: `synthetic:separable`
  adversary  ///< sees the weights, and chooses what they get just wrong, with y u.x = 1
};

struct SeparableStream {
  Chooser chooser = Chooser::chance;
  std::size_t dimension = 2;
  double norm = 1;  ///< U
  std::uint64_t seed = 1;
};

/// What a learner did that saw every label.
struct Played {
  double mistakes = 0;
  double updates = 0;
  double squares = 0;  ///< sum of (u.x)^2 over the updates
};

/// Rounds are many against chance; the adversary goes on until it finds nothing that the weights get wrong.
Played play(const SamplerConfig& learner, const SeparableStream& stream, std::uint64_t rounds);

}  // namespace askfew::slides
