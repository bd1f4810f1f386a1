#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/linalg/sparse.h"
#include "askfew/system/memory_limit.h"
#include "askfew/system/scratch_pool.h"

namespace askfew {

/// Stored sparse examples F and a weight vector w in their span, for DualCovariance. w is a plain vector, so
/// that a score takes O(nnz) for any number of stored examples. Many threads may call const members at the
/// same time.
class LinearBasis {
 public:
  struct Room {
    std::vector<double> dense;     ///< x while its products are computed; else all 0
    std::vector<double> products;  ///< the result
  };

  explicit LinearBasis(MemoryShare memory) : memory_(std::move(memory)) {}

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] FeatureView example(std::size_t s) const {
    const std::size_t begin = s == 0 ? 0 : ends_[s - 1];
    const std::size_t count = ends_[s] - begin;
    return FeatureView::unchecked_sparse({indices_.data() + begin, count}, {values_.data() + begin, count},
                                         0);
  }

  [[nodiscard]] double score(const FeatureView& x) const { return dot(w_, x); }
  [[nodiscard]] static double self(const FeatureView& x) { return x.squared_norm(); }
  /// F'x.
  [[nodiscard]] ScratchSpan<Room> products(const FeatureView& x) const;
  /// Takes the memory to store x. THROWS: MemoryError.
  void reserve(const FeatureView& x);
  /// Stores x, then w += step F z. REQUIRES: z.size() == size() + 1.
  void extend(const FeatureView& x, std::span<const double> z, double step);

  [[nodiscard]] const std::vector<double>& weights() const { return w_; }
  /// Removes everything and returns all memory.
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

  std::vector<double> w_;
  // Example s has the features from ends_[s-1] to ends_[s].
  std::vector<std::uint64_t> ends_;
  std::vector<Index> indices_;
  std::vector<double> values_;
  MemoryShare memory_;
  ScratchPool<Room> rooms_;
};

}  // namespace askfew
