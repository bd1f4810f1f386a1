#include "askfew/learners/budget.h"

#include <algorithm>

#include "askfew/linalg/exact_sum.h"

namespace askfew {

void Budget::update(const FeatureView& x, Label y, double /*margin*/) {
  expect_update(x.squared_norm());
  std::size_t slot = lengths_.size();
  if (slot < static_cast<std::size_t>(params_.B)) {
    const std::size_t width = stride();
    lengths_.push_back(0);
    indices_.resize(width * lengths_.size());
    values_.resize(width * lengths_.size());
  } else {
    slot = static_cast<std::size_t>(coin_(++removals_) * params_.B);
    for (std::size_t k = slot * stride(); k < slot * stride() + lengths_[slot]; ++k)
      add_exactly(w_[indices_[k]], w_low_[indices_[k]], -values_[k]);
  }
  if (x.size() > stride()) widen(x.size());
  cover(w_, x);
  cover(w_low_, x);
  std::size_t at = slot * stride();
  x.for_each([&](Index i, double v) {
    indices_[at] = i;
    values_[at] = sign(y) * v;
    add_exactly(w_[i], w_low_[i], values_[at]);
    ++at;
  });
  lengths_[slot] = static_cast<std::uint32_t>(at - slot * stride());
}

// Rare: happens only when an instance with more features than all instances before is stored.
void Budget::widen(std::size_t stride_wanted) {
  const std::size_t old = stride();
  const std::size_t wide = std::max(stride_wanted, old + old / 2);
  std::vector<Index> indices(wide * lengths_.size());
  std::vector<double> values(wide * lengths_.size());
  for (std::size_t s = 0; s < lengths_.size(); ++s) {
    std::copy_n(indices_.data() + s * old, lengths_[s], indices.data() + s * wide);
    std::copy_n(values_.data() + s * old, lengths_[s], values.data() + s * wide);
  }
  indices_ = std::move(indices);
  values_ = std::move(values);
}

bool Budget::consistent() const {
  if (lengths_.size() > static_cast<std::size_t>(params_.B) || removals_ > max_rounds) return false;
  if (w_low_.size() != w_.size() || values_.size() != indices_.size()) return false;
  if (lengths_.empty()) return indices_.empty();
  if (indices_.size() % lengths_.size() != 0) return false;
  return std::all_of(lengths_.begin(), lengths_.end(), [&](std::uint32_t n) { return n <= stride(); }) &&
         std::all_of(indices_.begin(), indices_.end(), [&](Index i) { return i < w_.size(); });
}

}  // namespace askfew
