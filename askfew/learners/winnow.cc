#include "askfew/learners/winnow.h"

#include <cmath>
#include <fmt/format.h>

#include "askfew/math/elementary.h"

namespace askfew {
namespace {

// The undivided weights may grow or shrink without limit. If their sum has left d by this factor, a power of
// two moves them back without changing a bit, and the sum is computed again, because a running sum that
// shrinks to 2^-60 of its size loses 60 of its 106 bits. Moving the weights takes O(d) and is rare.
constexpr double far = 0x1.0p+30;

double dimension_of(const Setting& setting, std::string_view name) {
  if (setting.dimension == 0)
    throw ConfigError(fmt::format("{}: the number of features must be known", name));
  return static_cast<double>(setting.dimension);
}

bool is_far(const ExactSum& sum, double dimension) {
  return !(sum.value() < dimension * far && sum.value() > dimension / far);
}

void add_all(ExactSum& sum, const std::vector<double>& weights) {
  for (const double weight : weights) sum.add(weight);
}

/// The power of two that brings the sum near d; 1 if the sum is not finite or not positive (the next margin
/// reports that).
double factor_to(double dimension, const ExactSum& sum) {
  if (!std::isfinite(sum.value()) || sum.value() <= 0) return 1;
  return std::ldexp(1.0, std::ilogb(dimension) - std::ilogb(sum.value()));
}

void expect_room(const FeatureView& x, const std::vector<double>& weights, std::string_view name) {
  if (x.extent() <= weights.size()) return;
  throw ConfigError(
      fmt::format("{}: feature {} is beyond the dimension {}", name, x.extent(), weights.size()));
}

/// Weights times exp(eta |x_i|) must be far from overflow. THROWS: NumericFailure.
void expect_exponents(const FeatureView& x, double eta) {
  constexpr double max_exponent = 500;
  if (!(eta * largest_magnitude(x) <= max_exponent)) refuse_update();
}

/// weight *= factor; updates the sum.
void multiply(double& weight, double factor, ExactSum& sum) {
  const double grown = weight * factor;
  sum.add(grown);
  sum.add(-weight);
  weight = grown;
}

}  // namespace

Winnow::Winnow(const Params& params, const Setting& setting)
    : params_(checked(info.name, params)),
      dimension_(setting.dimension),
      u_(setting.dimension, 1.0),
      sum_(dimension_of(setting, info.name)) {}

void Winnow::update(const FeatureView& x, Label y, double /*margin*/) {
  expect_room(x, u_, info.name);
  expect_exponents(x, params_.eta);
  x.for_each(
      [&](FeatureView::Index i, double v) { multiply(u_[i], math::exp(params_.eta * sign(y) * v), sum_); });
  const auto dimension = static_cast<double>(dimension_);
  if (!is_far(sum_, dimension)) return;
  sum_ = ExactSum();
  add_all(sum_, u_);
  const double factor = factor_to(dimension, sum_);
  scale(u_, factor);
  sum_.scale(factor);
}

WinnowBalanced::WinnowBalanced(const Params& params, const Setting& setting)
    : params_(checked(info.name, params)),
      dimension_(setting.dimension),
      plus_(setting.dimension, 1.0),
      minus_(setting.dimension, 1.0),
      difference_(setting.dimension, 0.0),
      sum_(2 * dimension_of(setting, info.name)) {}

void WinnowBalanced::update(const FeatureView& x, Label y, double /*margin*/) {
  expect_room(x, plus_, info.name);
  expect_exponents(x, params_.eta);
  x.for_each([&](FeatureView::Index i, double v) {
    const double exponent = params_.eta * sign(y) * v;
    multiply(plus_[i], math::exp(exponent), sum_);
    multiply(minus_[i], math::exp(-exponent), sum_);
    difference_[i] = plus_[i] - minus_[i];
  });
  const auto dimension = static_cast<double>(dimension_);
  if (!is_far(sum_, dimension)) return;
  sum_ = ExactSum();
  add_all(sum_, plus_);
  add_all(sum_, minus_);
  const double factor = factor_to(dimension, sum_);
  scale(plus_, factor);
  scale(minus_, factor);
  scale(difference_, factor);
  sum_.scale(factor);
}

}  // namespace askfew
