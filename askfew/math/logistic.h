#pragma once

namespace askfew::math {

/// 1/(1 + e^-x), without overflow, with the same bits on every machine.
[[nodiscard]] double sigmoid(double x);

/// The implicit step of the logistic loss: the margin u' >= u that solves
///
///   u' = u + v sigmoid(-u')
///
/// u is y w.x before the step and v = x'Sx, the size of a step along x. (An explicit step would put u in
/// place of u' on the right, and go too far if v is large.) REQUIRES: v >= 0; u and v finite.
[[nodiscard]] double implicit_logistic_margin(double u, double v);

}  // namespace askfew::math
