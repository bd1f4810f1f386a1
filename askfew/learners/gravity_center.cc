#include "askfew/learners/gravity_center.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "askfew/linalg/halfspace.h"
#include "askfew/math/elementary.h"

namespace askfew {
namespace {

constexpr std::size_t max_gravity_features = 64;
constexpr std::size_t left_share = 8;    // a cut leaves at least one point in eight
constexpr int steps = 4;                 // steps of hit-and-run per point
constexpr int sweeps = 10;               // sweeps over the coordinates, for a random point of the unit ball
constexpr double thinnest_body = 1e-12;  // slightly above the rounding of the points
constexpr double share_of_cut = 0.75;    // share of the volume, allowing for the error of w

}  // namespace

GravityCenter::GravityCenter(const Params& params, const Setting& setting)
    : params_(checked(info.name, params)),
      dimension_(small_dimension(info.name, setting, max_gravity_features)),
      count_(static_cast<std::size_t>(params_.samples) * dimension_),
      max_cuts_(static_cast<std::size_t>(static_cast<double>(dimension_) * math::log1p(params_.U) /
                                         -math::log(share_of_cut)) +
                1),
      memory_(setting.memory),
      coin_(setting.key, CoinPurpose::learner),
      w_(dimension_),
      normal_(dimension_),
      direction_(dimension_) {
  memory_.resize((2 * count_ * (dimension_ + 1) + max_cuts_ * (dimension_ + 1)) * sizeof(double), info.name);
  points_.reserve(count_ * dimension_);
  walked_.resize(count_ * dimension_);
  heights_.resize(count_);
  sorted_.resize(count_);
  left_.reserve(count_);
  normals_.reserve(max_cuts_ * dimension_);
  offsets_.reserve(max_cuts_);
}

/// Random points of the unit ball by sweeps of hit-and-run along the coordinates, and their mirror images:
/// their mean is the centre, and every cut through the centre leaves some points.
void GravityCenter::start() {
  normals_.clear();
  offsets_.clear();
  std::fill(w_.begin(), w_.end(), 0.0);
  points_.assign(count_ * dimension_, 0.0);
  for (std::size_t k = 0; k < count_; ++k) {
    const std::span<double> p = point(k);
    if (k % 2 == 1) {
      std::transform(p.data() - dimension_, p.data(), p.data(), std::negate<>());
      continue;
    }
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      for (double& coordinate : p) {
        coordinate = 0;
        const double half = std::sqrt(std::max(0.0, 1 - dense_dot(p.data(), p.data(), dimension_)));
        coordinate = (2 * draw() - 1) * half;
      }
    }
  }
}

void GravityCenter::update(const FeatureView& x, Label y, double margin) {
  const Halfspace half = halfspace_of(x, y, margin, normal_, info.name);
  if (half.length == 0) return;
  if (points_.empty()) start();
  if (can_cut(half.height)) return cut(half.height);
  start();
  ++restarts_;
  can_cut(0);
  cut(0);
}

/// Computes the heights of the points above the border of the halfspace. False if all points are as low as w,
/// or there are too many cuts for a separable stream.
bool GravityCenter::can_cut(double height) {
  for (std::size_t k = 0; k < count_; ++k) {
    heights_[k] = dense_dot(normal_.data(), point(k).data(), dimension_);
  }
  const double highest = *std::max_element(heights_.begin(), heights_.end());
  return offsets_.size() < max_cuts_ && highest > height + thinnest_body;
}

void GravityCenter::cut(double height) {
  std::copy(heights_.begin(), heights_.end(), sorted_.begin());
  const auto last =
      sorted_.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, count_ / left_share)) - 1;
  std::nth_element(sorted_.begin(), last, sorted_.end(), std::greater<>());
  const double offset = std::min(0.0, std::max(*last, height));
  left_.clear();
  for (std::size_t k = 0; k < count_; ++k) {
    if (heights_[k] >= offset) left_.push_back(k);
  }
  normals_.insert(normals_.end(), normal_.begin(), normal_.end());
  offsets_.push_back(offset);
  std::fill(w_.begin(), w_.end(), 0.0);
  for (std::size_t k = 0; k < count_; ++k) {
    const std::span<double> p(walked_.data() + k * dimension_, dimension_);
    std::copy_n(point(left_[k % left_.size()]).data(), dimension_, p.data());
    for (int step = 0; step < steps; ++step) walk(p);
    dense_add_scaled(w_.data(), 1.0 / static_cast<double>(count_), p.data(), dimension_);
  }
  points_.swap(walked_);
}

/// One step of hit-and-run: the chord through p lies between the times `from` and `to`.
void GravityCenter::walk(std::span<double> p) {
  const auto one = static_cast<std::size_t>(draw() * static_cast<double>(count_));
  const auto other = static_cast<std::size_t>(draw() * static_cast<double>(count_));
  const double place = draw();
  const std::size_t d = dimension_;
  for (std::size_t i = 0; i < d; ++i) direction_[i] = point(one)[i] - point(other)[i];
  const double vv = dense_dot(direction_.data(), direction_.data(), d);
  if (vv == 0) return;
  const double pv = dense_dot(p.data(), direction_.data(), d);
  const double pp = dense_dot(p.data(), p.data(), d);
  const double root = std::sqrt(std::max(0.0, pv * pv + vv * (1 - pp)));
  double from = (-pv - root) / vv;
  double to = (-pv + root) / vv;
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    const double* a = normals_.data() + i * d;
    const double rate = dense_dot(a, direction_.data(), d);
    const double crossing = (offsets_[i] - dense_dot(a, p.data(), d)) / rate;
    if (rate > 0) from = std::max(from, crossing);
    if (rate < 0) to = std::min(to, crossing);
  }
  if (from < to) dense_add_scaled(p.data(), from + place * (to - from), direction_.data(), d);
}

bool GravityCenter::consistent() const {
  const bool points_fit = points_.empty() ? offsets_.empty() : points_.size() == count_ * dimension_;
  const bool in_ball =
      std::all_of(points_.begin(), points_.end(), [](double v) { return std::abs(v) < 1.01; });
  return points_fit && in_ball && w_.size() == dimension_ && offsets_.size() <= max_cuts_ &&
         normals_.size() == offsets_.size() * dimension_ && draws_ <= max_rounds;
}

}  // namespace askfew
