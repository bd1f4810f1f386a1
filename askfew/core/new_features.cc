#include "askfew/core/new_features.h"

#include <algorithm>
#include <limits>

namespace askfew {

void NewFeatures::find(std::span<const FeatureView> rows) {
  constexpr std::size_t remembered = 1 << 14;  // measured: with fewer a run is slower, or no faster
  constexpr FeatureView::Index none = std::numeric_limits<FeatureView::Index>::max();
  recent_.assign(remembered, none);
  features_.clear();
  ends_.clear();
  for (const FeatureView& x : rows) {
    const std::size_t size = x.is_dense() ? 0 : x.size();
    std::size_t end = features_.size();
    features_.resize(end + size);
    for (std::size_t k = 0; k < size; ++k) {  // no branches: they would be hard to predict
      const FeatureView::Index feature = x.indices()[k];
      FeatureView::Index& last = recent_[feature % remembered];
      features_[end] = feature;
      end += last != feature ? 1 : 0;
      last = feature;
    }
    features_.resize(end);
    ends_.push_back(end);
  }
}

std::span<const FeatureView::Index> NewFeatures::of(std::size_t first, std::size_t last) const {
  const auto begin_of = [&](std::size_t row) {
    return row == 0 || ends_.empty() ? 0 : ends_[std::min(row, ends_.size()) - 1];
  };
  const std::size_t begin = begin_of(first);
  return std::span(features_).subspan(begin, begin_of(last) - begin);
}

}  // namespace askfew
