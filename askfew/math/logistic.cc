#include "askfew/math/logistic.h"

#include <algorithm>
#include <cmath>

#include "askfew/math/elementary.h"

namespace askfew::math {
namespace {

/// A place at or a little below the solution if v is large, so that Newton's method needs few steps: there
/// sigmoid(-u') is close to e^-u'.
double first_guess(double u, double v) {
  if (!(v > 1)) return u;
  const double most = log(v);
  return most - u > 1 ? std::clamp(most - log(most - u), u, u + v) : u;
}

}  // namespace

double sigmoid(double x) {
  if (x >= 0) return 1 / (1 + exp(-x));
  const double e = exp(x);
  return e / (1 + e);
}

double implicit_logistic_margin(double u, double v) {
  constexpr int max_steps = 100;
  constexpr double tolerance = 1e-13;
  double low = u;
  double high = u + v;
  double q = first_guess(u, v);
  for (int k = 0; k < max_steps; ++k) {
    const double p = sigmoid(-q);
    const double f = q - u - v * p;
    if (std::abs(f) <= tolerance * (1 + std::abs(q))) break;
    (f > 0 ? high : low) = q;
    const double next = q - f / (1 + v * p * (1 - p));
    q = next > low && next < high ? next : low + (high - low) / 2;
  }
  return q;
}

}  // namespace askfew::math
