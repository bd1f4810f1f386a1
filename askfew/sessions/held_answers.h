#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace askfew {

/// How many of the last answers of a person are held before they are learned, so that they can be taken back:
/// one in 40 of the answers so far, at least 1 and at most 10. The next question is chosen without the held
/// answers, and the first answers teach most (bench/held_answers.py).
constexpr std::size_t max_held_answers(std::uint64_t answers) {
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(answers / 40, 1, 10));
}

}  // namespace askfew
