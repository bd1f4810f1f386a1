#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "askfew/core/features.h"

namespace askfew {

/// For each row of a batch the features that the rows shortly before do not have: the weights of these
/// features are probably not in the processor's cache. Found once per batch for all tasks, which request
/// these weights from the memory before they need them.
class NewFeatures {
 public:
  /// Forgets the last batch. Dense rows have no new features: their weights are read in order, so that the
  /// processor requests them by itself.
  void find(std::span<const FeatureView> rows);
  /// The new features of the rows [first, last); rows beyond the end have none.
  [[nodiscard]] std::span<const FeatureView::Index> of(std::size_t first, std::size_t last) const;

 private:
  std::vector<FeatureView::Index> features_;
  std::vector<std::size_t> ends_;           // by row: the end of its new features
  std::vector<FeatureView::Index> recent_;  // by remainder of the feature: the last feature with it
};

}  // namespace askfew
