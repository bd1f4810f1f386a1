#include "askfew/covariance/linear_basis.h"

#include <algorithm>

namespace askfew {

ScratchSpan<LinearBasis::Room> LinearBasis::products(const FeatureView& x) const {
  auto room = rooms_.borrow();
  // x as a dense vector of w's length: every stored feature is below that length, and other features of x
  // meet no stored feature.
  std::vector<double>& dense = room->dense;
  dense.resize(w_.size());
  const auto for_each_known = [&](auto&& f) {
    x.for_each([&](Index i, double value) {
      if (i < dense.size()) f(dense[i], value);
    });
  };
  for_each_known([](double& component, double value) { component = value; });
  room->products.resize(size());
  for (std::size_t s = 0; s < size(); ++s) room->products[s] = dot(dense, example(s));
  for_each_known([](double& component, double /*value*/) { component = 0; });
  const std::span<const double> values = room->products;
  return {std::move(room), values};
}

void LinearBasis::reserve(const FeatureView& x) {
  const std::size_t room = std::max(values_.capacity(), values_.size() + x.size());
  memory_.resize(room * (sizeof(Index) + sizeof(double)), "the stored examples");
}

void LinearBasis::extend(const FeatureView& x, std::span<const double> z, double step) {
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
