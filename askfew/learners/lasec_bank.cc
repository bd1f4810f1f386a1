#include "askfew/learners/lasec_bank.h"

#include <algorithm>
#include <cmath>

#include "askfew/math/elementary.h"

namespace askfew {
namespace {

/// The k-th of `count` values on a geometric grid. The ends are exact.
double on_grid(double low, double high, std::size_t k, std::size_t count) {
  if (k == 0) return low;
  if (k + 1 == count) return high;
  return low * math::pow(high / low, static_cast<double>(k) / static_cast<double>(count - 1));
}

/// A member's w.x, cut to [-1, 1]. An overflow is not cut, so that the sampler notices it.
double estimate_of(const Covariance& member, const FeatureView& x) {
  const double score = member.score(x);
  return std::isfinite(score) ? std::clamp(score, -1.0, 1.0) : score;
}

}  // namespace

LasecBank::LasecBank(const Params& params, const Setting& setting)
    : share_(checked(info.name, params).share) {
  if (params.c_min > params.c_max)
    throw ConfigError(std::string(info.name) + ": c_min must not be above c_max");
  if (params.b >= params.c_min) throw ConfigError(std::string(info.name) + ": b must be below c_min");
  const auto count = static_cast<std::size_t>(params.K);
  p_.assign(count, 1 / params.K);
  estimates_.resize(count);
  members_.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double c = on_grid(params.c_min, params.c_max, k, count);
    members_.emplace_back(lasec_start(info.name, params.b, c), static_cast<CovarianceForm>(params.form),
                          setting);
  }
}

double LasecBank::margin(const FeatureView& x) const {
  double mean = 0;
  for (std::size_t k = 0; k < p_.size(); ++k) mean += p_[k] * estimate_of(members_[k], x);
  return mean;
}

double LasecBank::spread(const FeatureView& x) const {
  double mean = 0;
  for (std::size_t k = 0; k < p_.size(); ++k) mean += p_[k] * members_[k].spread(x);
  return mean;
}

double LasecBank::spread_bound(const FeatureView& x) const {
  double mean = 0;
  for (std::size_t k = 0; k < p_.size(); ++k) mean += p_[k] * members_[k].spread_bound(x);
  return mean;
}

void LasecBank::update(const FeatureView& x, Label y, double /*margin*/) {
  for (std::size_t k = 0; k < p_.size(); ++k) {  // all members learn, or none
    estimates_[k] = estimate_of(members_[k], x);
    if (sgn(estimates_[k]) != y) members_[k].prepare(x, sign(y));
  }
  double sum = 0;
  for (std::size_t k = 0; k < p_.size(); ++k) {
    const double error = sign(y) - estimates_[k];
    p_[k] *= math::exp(-error * error / 8);
    sum += p_[k];
    if (sgn(estimates_[k]) != y) members_[k].commit(x);
  }
  const double each = share_ / static_cast<double>(p_.size());
  for (double& p : p_) p = (1 - share_) * p / sum + each;
}

bool LasecBank::consistent() const {
  double sum = 0;
  for (const double p : p_) sum += p >= 0 ? p : infinity;
  constexpr double rounding = 1e-9;
  return p_.size() == members_.size() && std::abs(sum - 1) <= rounding &&
         std::all_of(members_.begin(), members_.end(), [](const Covariance& m) { return m.consistent(); });
}

}  // namespace askfew
