#include "askfew/theory/bounds.h"

#include <algorithm>
#include <cmath>

namespace askfew {
namespace {

/// 1 + UX, the inverse radius of a ball of hyperplanes of norm at most 1 that are right about the whole
/// stream.
double inverse_radius(const Comparator& u) {
  return 1 + u.norm * u.longest / u.gamma;
}

}  // namespace

double selective_perceptron_bound(const Comparator& u, double b) {
  const double xx = u.longest * u.longest;
  const double reach = 2 * b + xx;
  return (1 + xx / (2 * b)) * u.loss / u.gamma +
         u.norm * u.norm * reach * reach / (8 * b * u.gamma * u.gamma);
}

double adaptive_perceptron_bound(const Comparator& u, double beta) {
  const double r = u.norm * u.longest / u.gamma;
  const double b = r + (1 + 3 * r / 2) / beta;
  const double rest = u.loss / u.gamma + r / (2 * beta);
  return rest + b * b / 2 + b * std::sqrt(rest + b * b / 4);
}

double selective_winnow_bound(const Comparator& u, double alpha, std::size_t dimension) {
  return u.loss / (alpha * u.gamma) + u.longest * u.longest * std::log(static_cast<double>(dimension)) /
                                          (2 * alpha * (1 - alpha) * u.gamma * u.gamma);
}

double perceptron_bound(const Comparator& u) {
  return u.loss + u.norm * u.norm + u.norm * std::sqrt(u.loss);
}

double hildreth_bound(const Comparator& u) {
  return u.norm * u.norm * u.longest * u.longest;
}

double pa_one_bound(const Comparator& u, double c) {
  return std::max(1 / c, 1.0) * (u.norm * u.norm + 2 * c * u.loss);
}

double ellipsoid_bound(const Comparator& u, std::size_t dimension) {
  const auto d = static_cast<double>(std::max<std::size_t>(dimension, 2));
  return 2 * d * (d + 1) * std::log(inverse_radius(u));
}

double volumetric_center_bound(const Comparator& u, std::size_t dimension) {
  const auto d = static_cast<double>(dimension);
  return 64 * d * std::log(51 * d * inverse_radius(u));
}

double gravity_center_bound(const Comparator& u, std::size_t dimension, double error) {
  const auto d = static_cast<double>(dimension);
  return d * std::log(inverse_radius(u)) / -std::log(1 - std::exp(-1.0) + error);
}

}  // namespace askfew
