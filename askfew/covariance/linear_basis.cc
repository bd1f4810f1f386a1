#include "askfew/covariance/linear_basis.h"

#include <algorithm>

namespace askfew {

std::span<const double> LinearBasis::products(const FeatureView& x) const {
  // x as a plain vector of w's length: every stored feature lies below it, and others meet none.
  dense_.resize(w_.size());
  const auto for_each_known = [&](auto&& f) {
    x.for_each([&](Index i, double value) {
      if (i < dense_.size()) f(dense_[i], value);
    });
  };
  for_each_known([](double& component, double value) { component = value; });
  products_.resize(size());
  for (std::size_t s = 0; s < size(); ++s) products_[s] = dot(dense_, example(s));
  for_each_known([](double& component, double /*value*/) { component = 0; });
  return products_;
}

std::size_t LinearBasis::bytes_with(const FeatureView& x) const {
  return std::max(values_.capacity(), values_.size() + x.size()) * (sizeof(Index) + sizeof(double));
}

void LinearBasis::extend(const FeatureView& x, std::span<const double> z, double step) {
  memory_.resize(bytes_with(x), "the stored examples");
  x.for_each([&](Index i, double value) {
    indices_.push_back(i);
    values_.push_back(value);
  });
  ends_.push_back(indices_.size());
  cover(w_, x);
  for (std::size_t s = 0; s < size(); ++s) {
    if (z[s] != 0) add_scaled(w_, step * z[s], example(s));
  }
}

void LinearBasis::clear() {
  w_ = {};
  ends_ = {};
  indices_ = {};
  values_ = {};
  memory_.resize(0, "");
}

bool LinearBasis::consistent() const {
  if (indices_.size() != values_.size()) return false;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends_) {
    if (end < begin || end > indices_.size()) return false;
    for (std::uint64_t at = begin; at < end; ++at) {
      if (indices_[at] >= w_.size() || (at > begin && indices_[at] <= indices_[at - 1])) return false;
    }
    begin = end;
  }
  return begin == indices_.size();
}

}  // namespace askfew
