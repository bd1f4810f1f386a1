#include "askfew/covariance/primal.h"

#include <algorithm>
#include <utility>

namespace askfew {

double PrimalCovariance::spread(const FeatureView& x) const {
  const FeatureView known = first_features(x, p_.size());
  const std::span<const double> rest(x.values() + known.size(), x.size() - known.size());
  // P is diagonal for features without an update.
  const double unseen = p_.untouched_diagonal() * FeatureView::sum_of_squares(rest);
  return checked_spread(p_.quadratic(known) + unseen + noise_ * x.squared_norm(), spread_bound(x));
}

void PrimalCovariance::prepare(const FeatureView& x, double y) {
  const double bound = spread_bound(x);
  expect_update(bound);
  expect_update(p_.untouched_diagonal() + noise_);
  q_.resize(std::max<std::size_t>(p_.size(), x.extent()));
  p_.multiply(x, noise_, q_);
  r_ = checked_spread(dot(q_, x), bound);
  step_ = (y - score(x)) / (1 + r_);
  const double qq = dense_dot(q_.data(), q_.data(), q_.size());
  expect_update(step_, qq);
  expect_update(qq / (1 + r_));
  if (p_.is_block_full_after_next()) check_health(r_, spread(x));  // once per block, at little cost
  p_.reserve(q_.size());
}

void PrimalCovariance::commit(const FeatureView& x) {
  p_.grow(x.extent());
  w_.resize(p_.size());
  dense_add_scaled(w_.data(), step_, q_.data(), w_.size());
  p_.add_to_diagonal(noise_);
  p_.subtract_outer(q_, 1 / (1 + r_));
}

DeferredSymmetric& PrimalCovariance::take_over(std::vector<double> w, double identity) {
  w_ = std::move(w);
  p_.start_over(identity);
  p_.grow(w_.size());
  return p_;
}

}  // namespace askfew
