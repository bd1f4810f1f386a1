#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/linalg/sparse.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// Stored sparse examples F and a weight vector w in their span, for DualCovariance. w is kept as a plain
/// vector, so that a score costs O(nnz) whatever is stored.
class LinearBasis {
 public:
  explicit LinearBasis(MemoryShare memory) : memory_(std::move(memory)) {}

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] FeatureView example(std::size_t s) const {
    const std::size_t begin = s == 0 ? 0 : ends_[s - 1];
    const std::size_t count = ends_[s] - begin;
    return FeatureView::sparse({indices_.data() + begin, count}, {values_.data() + begin, count}, 0);
  }

  [[nodiscard]] double score(const FeatureView& x) const { return dot(w_, x); }
  [[nodiscard]] static double self(const FeatureView& x) { return x.squared_norm(); }
  /// F'x, valid until the next call.
  [[nodiscard]] std::span<const double> products(const FeatureView& x) const;
  /// Stores x, then w += step F z. REQUIRES: z.size() == size() + 1. THROWS: MemoryError.
  void extend(const FeatureView& x, std::span<const double> z, double step);

  /// How much memory it takes to store x.
  [[nodiscard]] std::size_t growth(const FeatureView& x) const { return memory_.growth_to(bytes_with(x)); }

  [[nodiscard]] const std::vector<double>& weights() const { return w_; }
  /// Empty again, and all memory given back.
  void clear();

  static void state(auto& self, auto& visit) {
    visit("w", self.w_);
    visit("ends", self.ends_);
    visit("indices", self.indices_);
    visit("values", self.values_);
  }
  [[nodiscard]] bool consistent() const;

 private:
  using Index = FeatureView::Index;

  [[nodiscard]] std::size_t bytes_with(const FeatureView& x) const;

  std::vector<double> w_;
  // Example s has the features from ends_[s-1] to ends_[s].
  std::vector<std::uint64_t> ends_;
  std::vector<Index> indices_;
  std::vector<double> values_;
  MemoryShare memory_;
  mutable std::vector<double> dense_;     // x, while its products are computed; else 0
  mutable std::vector<double> products_;  // the answer
};

}  // namespace askfew
