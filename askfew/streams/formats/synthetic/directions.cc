#include "askfew/streams/formats/synthetic/directions.h"

#include <cmath>

#include "askfew/core/features.h"

namespace askfew {
namespace {

void scale_to_unit(std::span<double> x) {
  const double norm = std::sqrt(FeatureView::sum_of_squares(x));
  for (double& v : x) v /= norm;
}

/// Removes from x its component along u.
void make_orthogonal(std::span<const double> u, std::span<double> x) {
  double along = 0;
  for (std::size_t i = 0; i < x.size(); ++i) along += u[i] * x[i];
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= along * u[i];
}

}  // namespace

std::vector<double> random_direction(Draws& draws, std::size_t dimension) {
  std::vector<double> u(dimension);
  for (double& v : u) v = draws.normal();
  scale_to_unit(u);
  return u;
}

void fill_at_margin(std::span<const double> u, double margin, Draws& draws, std::span<double> x) {
  for (double& v : x) v = draws.normal();
  // If x was nearly along u, rounding leaves a part of that component: the second pass removes it.
  for (int time = 0; time < 2; ++time) {
    make_orthogonal(u, x);
    scale_to_unit(x);
  }
  const double across = std::sqrt((1 - margin) * (1 + margin));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = margin * u[i] + across * x[i];
}

}  // namespace askfew
