#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "askfew/streams/formats/synthetic/draws.h"

namespace askfew {

/// A vector u of norm 1, every direction as likely as any other.
std::vector<double> random_direction(Draws& draws, std::size_t dimension);

/// Fills x with a vector of norm 1 for which u.x is `margin`, every one as likely as any other: m u + sqrt(1
/// - m^2) w with a random direction w that is orthogonal to u. REQUIRES: u has norm 1 and two features or
/// more.
void fill_at_margin(std::span<const double> u, double margin, Draws& draws, std::span<double> x);

}  // namespace askfew
