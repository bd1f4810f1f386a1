#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "askfew/streams/formats/synthetic/draws.h"

namespace askfew {

/// A random vector u of norm 1, uniform over all directions.
std::vector<double> random_direction(Draws& draws, std::size_t dimension);

/// Fills x with a random vector of norm 1 with u.x = `margin`, uniform over all such vectors: m u + sqrt(1 -
/// m^2) w with a random direction w orthogonal to u. REQUIRES: u has norm 1 and at least two features.
void fill_at_margin(std::span<const double> u, double margin, Draws& draws, std::span<double> x);

}  // namespace askfew
