#include "askfew/theory/bounds.h"

#include <algorithm>
#include <cmath>

namespace askfew {

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

}  // namespace askfew
