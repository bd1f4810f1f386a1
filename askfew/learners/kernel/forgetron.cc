#include "askfew/learners/kernel/forgetron.h"

#include <algorithm>

namespace askfew {
namespace {

/// Psi(p) = curve p^2 + slope p.
struct Damage {
  double curve;
  double slope;

  [[nodiscard]] double at(double p) const { return (curve * p + slope) * p; }

  /// The largest p in (0, 1] with Psi(p) <= most. REQUIRES: slope >= 0, most > 0. Psi(0) = 0, so if Psi(1) is
  /// too large, p is the only root of Psi(p) = most in (0, 1), in a form without cancellation.
  [[nodiscard]] double largest(double most) const {
    if (at(1) <= most) return 1;
    return 2 * most / (slope + std::sqrt(std::max(0.0, slope * slope + 4 * curve * most)));
  }
};

}  // namespace

void Forgetron::update(const FeatureView& x, Label y, double /*margin*/) {
  if (f_.size() < static_cast<std::size_t>(params_.B)) {
    f_.add(x, sign(y));
    ++updates_;
    return;
  }
  f_.prepare(f_.size(), x, sign(y));
  ++updates_;
  const double a = f_.coefficient(oldest_);
  const double with_x = sign(y) * f_.supports().row(x)[oldest_];
  const double u = std::copysign(1.0, a) * (f_.at(oldest_) + with_x);  // f'(x_r) = f(x_r) + y K(x, x_r)
  const double s = std::abs(a);
  const Damage damage{.curve = s * s - 2 * s * u, .slope = 2 * s};
  const double p = damage.largest(allowed() - damage_);
  f_.scale(p);
  f_.replace(oldest_, x, p * sign(y));
  damage_ += damage.at(p);
  oldest_ = (oldest_ + 1) % f_.size();
}

bool Forgetron::consistent() const {
  if (!f_.consistent() || f_.size() > static_cast<std::size_t>(params_.B)) return false;
  if (updates_ > max_rounds || updates_ < f_.size()) return false;
  const bool is_full = f_.size() == static_cast<std::size_t>(params_.B);
  // Rounding may make Q slightly larger than allowed, but by far less than the next update allows in
  // addition.
  return oldest_ < (is_full ? f_.size() : 1) && damage_ <= allowed() + 1e-6 * (1 + allowed());
}

}  // namespace askfew
