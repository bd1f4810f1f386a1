#pragma once

#include <cstdint>

namespace askfew {

/// A binary label y in {-1, +1}.
enum class Label : std::int8_t { negative = -1, positive = +1 };

constexpr double sign(Label y) {
  return y == Label::positive ? 1.0 : -1.0;
}

/// The signum function of the papers: sgn(0) = -1 (Cesa-Bianchi et al. 2006, footnote 1).
constexpr Label sgn(double margin) {
  return margin > 0 ? Label::positive : Label::negative;
}

}  // namespace askfew
