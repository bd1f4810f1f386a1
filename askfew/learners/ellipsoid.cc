#include "askfew/learners/ellipsoid.h"

#include <algorithm>
#include <cmath>

#include "askfew/linalg/halfspace.h"

namespace askfew {
namespace {

constexpr std::size_t max_ellipsoid_features = 256;
constexpr double thinnest_ellipsoid =
    1e-10;  // far above the rounding of w, far below the margin of any stream

}  // namespace

Ellipsoid::Ellipsoid(const Params& /*params*/, const Setting& setting)
    : dimension_(std::max<std::size_t>(2, small_dimension(info.name, setting, max_ellipsoid_features))),
      memory_(setting.memory),
      w_(dimension_),
      normal_(dimension_),
      g_(dimension_) {
  memory_.resize(dimension_ * dimension_ * sizeof(double), info.name);
  shape_.resize(dimension_ * dimension_);
  start();
}

void Ellipsoid::start() {
  std::fill(w_.begin(), w_.end(), 0.0);
  std::fill(shape_.begin(), shape_.end(), 0.0);
  for (std::size_t i = 0; i < dimension_; ++i) shape_[i * dimension_ + i] = 1;
}

void Ellipsoid::update(const FeatureView& x, Label y, double margin) {
  const Halfspace half = halfspace_of(x, y, margin, normal_, info.name);
  if (half.length == 0) return;
  const std::size_t n = dimension_;
  const auto project = [&] {  // g = B' normal; its norm is the half-width of the ellipsoid along x
    std::fill(g_.begin(), g_.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      if (normal_[i] != 0) dense_add_scaled(g_.data(), normal_[i], shape_.data() + i * n, n);
    }
    return std::sqrt(dense_dot(g_.data(), g_.data(), n));
  };
  double width = project();
  double depth = -half.height / width;
  if (!(width >= thinnest_ellipsoid && depth < 1 && std::isfinite(width))) {
    start();
    ++restarts_;
    width = project();
    depth = 0;
  }
  const auto d = static_cast<double>(n);
  const double step = (1 + d * depth) / (d + 1);
  const double stretch = std::sqrt((1 - depth * depth) / (d * d - 1)) * d;
  const double flatten = 1 - std::sqrt((d - 1) * (1 - depth) / ((d + 1) * (1 + depth)));
  for (double& v : g_) v /= width;
  for (std::size_t i = 0; i < n; ++i) {
    double* row = shape_.data() + i * n;
    const double along = dense_dot(row, g_.data(), n);
    w_[i] += step * along;
    dense_add_scaled(row, -flatten * along, g_.data(), n);
    for (std::size_t j = 0; j < n; ++j) row[j] *= stretch;
  }
}

}  // namespace askfew
