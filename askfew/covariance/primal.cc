#include "askfew/covariance/primal.h"

#include <utility>

namespace askfew {

double PrimalCovariance::spread(const FeatureView& x) const {
  const FeatureView known = first_features(x, p_.size());
  const std::span<const double> rest(x.values() + known.size(), x.size() - known.size());
  // P is diagonal where no update has been yet.
  const double unseen = p_.untouched_diagonal() * FeatureView::sum_of_squares(rest);
  return checked_spread(p_.quadratic(known) + unseen + noise_ * x.squared_norm(), spread_bound(x));
}

void PrimalCovariance::update(const FeatureView& x, double y) {
  if (x.extent() > p_.size()) {
    p_.grow(x.extent());
    w_.resize(p_.size());
    q_.resize(p_.size());
  }
  q_.resize(p_.size());  // after loading
  const double error = y - score(x);
  p_.add_to_diagonal(noise_);
  p_.multiply(x, q_);
  const double r = checked_spread(dot(q_, x), spread_bound(x));
  dense_add_scaled(w_.data(), error / (1 + r), q_.data(), w_.size());
  p_.subtract_outer(q_, 1 / (1 + r));
  if (p_.waiting() == 0) check_health(p_.quadratic(x), r);  // once a block, it costs little
}

DeferredSymmetric& PrimalCovariance::take_over(std::vector<double> w, double identity) {
  w_ = std::move(w);
  p_.start_over(identity);
  p_.grow(w_.size());
  return p_;
}

}  // namespace askfew
