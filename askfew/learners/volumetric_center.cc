#include "askfew/learners/volumetric_center.h"

#include <algorithm>
#include <cmath>

#include "askfew/linalg/cholesky.h"
#include "askfew/linalg/halfspace.h"

namespace askfew {
namespace {

constexpr std::size_t max_volumetric_features = 64;
constexpr double least_leverage = 1.0 / 50;
constexpr std::size_t max_per_feature = 50;  // leverages sum to d
constexpr double reach = 51;  // the polytope lies within 51 d of w, in units of H (50 for the exact minimum)
constexpr double setback = 0.25;
constexpr double tolerance = 1e-3;
constexpr int max_steps = 100;  // usually ten

/// matrix += factor a a', the lower triangle.
void add_outer(std::vector<double>& matrix, double factor, const double* a, std::size_t d) {
  for (std::size_t i = 0; i < d; ++i) {
    if (a[i] != 0) dense_add_scaled(matrix.data() + i * d, factor * a[i], a, i + 1);
  }
}

}  // namespace

VolumetricCenter::VolumetricCenter(const Params& params, const Setting& setting)
    : params_(checked(info.name, params)),
      dimension_(small_dimension(info.name, setting, max_volumetric_features)),
      memory_(setting.memory),
      w_(dimension_),
      normal_(dimension_),
      hessian_(dimension_ * dimension_),
      leveraged_(dimension_ * dimension_),
      step_(dimension_),
      solved_(dimension_) {
  const std::size_t most = max_per_feature * dimension_ + 1;
  memory_.resize(most * (dimension_ + 3) * sizeof(double), info.name);
  normals_.reserve(most * dimension_);
  offsets_.reserve(most);
  slacks_.reserve(most);
  leverages_.reserve(most);
  start();
}

void VolumetricCenter::start() {
  normals_.clear();
  offsets_.clear();
  std::fill(w_.begin(), w_.end(), 0.0);
  for (std::size_t i = 0; i < dimension_; ++i) {
    for (const double side : {1.0, -1.0}) {
      normals_.resize(normals_.size() + dimension_, 0.0);
      normals_[normals_.size() - dimension_ + i] = side;
      offsets_.push_back(-1);
    }
  }
}

void VolumetricCenter::update(const FeatureView& x, Label y, double margin) {
  const Halfspace half = halfspace_of(x, y, margin, normal_, info.name);
  if (half.length == 0 || cut(half.height)) return;
  start();
  ++restarts_;
  cut(0);
}

bool VolumetricCenter::cut(double height) {
  if (!weigh()) return false;
  std::copy(normal_.begin(), normal_.end(), solved_.begin());
  solve_lower(hessian_, solved_);
  const double width = std::sqrt(dense_dot(solved_.data(), solved_.data(), dimension_));
  if (!(reach * static_cast<double>(dimension_) * width * (1 + params_.U) >= 1)) return false;
  normals_.insert(normals_.end(), normal_.begin(), normal_.end());
  offsets_.push_back(height - setback * width);
  while (find_minimum()) {
    const auto least = std::min_element(leverages_.begin(), leverages_.end());
    if (*least >= least_leverage) return true;
    const auto at = least - leverages_.begin();
    const auto row = normals_.begin() + at * static_cast<std::ptrdiff_t>(dimension_);
    normals_.erase(row, row + static_cast<std::ptrdiff_t>(dimension_));
    offsets_.erase(offsets_.begin() + at);
  }
  return false;
}

/// Slacks, the factor of H, and leverages at w.
bool VolumetricCenter::weigh() {
  const std::size_t d = dimension_;
  slacks_.resize(offsets_.size());
  leverages_.resize(offsets_.size());
  std::fill(hessian_.begin(), hessian_.end(), 0.0);
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    const double* a = normals_.data() + i * d;
    slacks_[i] = dense_dot(a, w_.data(), d) - offsets_[i];
    if (!(slacks_[i] > 0)) return false;
    add_outer(hessian_, 1 / (slacks_[i] * slacks_[i]), a, d);
  }
  if (!cholesky(hessian_, d)) return false;
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    std::copy_n(normals_.data() + i * d, d, solved_.data());
    solve_lower(hessian_, solved_);
    leverages_[i] = dense_dot(solved_.data(), solved_.data(), d) / (slacks_[i] * slacks_[i]);
  }
  return true;
}

bool VolumetricCenter::find_minimum() {
  const std::size_t d = dimension_;
  for (int step = 0; weigh(); ++step) {
    std::fill(step_.begin(), step_.end(), 0.0);
    std::fill(leveraged_.begin(), leveraged_.end(), 0.0);
    for (std::size_t i = 0; i < offsets_.size(); ++i) {
      const double* a = normals_.data() + i * d;
      dense_add_scaled(step_.data(), leverages_[i] / slacks_[i], a, d);
      add_outer(leveraged_, leverages_[i] / (slacks_[i] * slacks_[i]), a, d);
    }
    if (!cholesky(leveraged_, d)) return false;
    solve_lower(leveraged_, step_);
    const double decrement = std::sqrt(dense_dot(step_.data(), step_.data(), d));
    if (!std::isfinite(decrement)) return false;
    if (decrement <= tolerance || step == max_steps) return true;
    solve_upper(leveraged_, step_);
    double fastest = 0;  // the largest relative change of a constraint's slack
    for (std::size_t i = 0; i < offsets_.size(); ++i) {
      fastest = std::max(fastest, std::abs(dense_dot(normals_.data() + i * d, step_.data(), d)) / slacks_[i]);
    }
    dense_add_scaled(w_.data(), 0.5 / std::max(1.0, fastest), step_.data(), d);
  }
  return false;
}

bool VolumetricCenter::consistent() const {
  return w_.size() == dimension_ && offsets_.size() <= max_per_feature * dimension_ &&
         normals_.size() == offsets_.size() * dimension_;
}

}  // namespace askfew
