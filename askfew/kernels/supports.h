#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "askfew/core/concepts.h"
#include "askfew/kernels/kernel.h"
#include "askfew/kernels/panel_rows.h"
#include "askfew/kernels/sparse_rows.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// Supports as a model file holds them, whatever their storage: row s has lengths[s] features, rows side by
/// side.
struct SavedSupports {
  std::vector<std::uint32_t> lengths;
  std::vector<FeatureView::Index> indices;
  std::vector<double> values;

  static void state(auto& self, auto& visit) {
    visit("lengths", self.lengths);
    visit("indices", self.indices);
    visit("values", self.values);
  }
  [[nodiscard]] bool consistent() const;
};

/// The supports of one learner, with elements of type T; see SupportSet.
template <class T>
class Supports {
 public:
  Supports(const Kernel& kernel, const Setting& setting);

  [[nodiscard]] std::size_t size() const { return size_; }
  void set(std::size_t slot, const FeatureView& x);
  void remove(std::size_t slot);
  void clear();
  /// How much memory it takes to store x, with so many slots then.
  [[nodiscard]] std::size_t growth(std::size_t slots, const FeatureView& x) const;

  [[nodiscard]] std::span<const double> row(const FeatureView& x) const;
  [[nodiscard]] std::span<const double> row_of(std::size_t slot) const;
  [[nodiscard]] double self(const FeatureView& x) const { return kernel_.self(squared_norm(x)); }
  [[nodiscard]] double self_of(std::size_t slot) const { return kernel_.self(norms_[slot]); }
  void read_ahead(std::span<const FeatureView> upcoming);

  [[nodiscard]] SavedSupports saved() const;
  /// REQUIRES: saved.consistent().
  void load(const SavedSupports& saved);

 private:
  using Index = FeatureView::Index;

  // Up to here features are dense panels; an instance beyond it turns them into sparse rows, for good.
  static constexpr std::size_t max_dense = 4096;
  // Upcoming instances whose products are computed at once: eight narrow panels.
  static constexpr std::size_t block_size = 8 * narrow_rows;
  static constexpr std::size_t nowhere = ~std::size_t{0};

  // Storage.
  void make_room(std::size_t slots, const FeatureView& x);
  [[nodiscard]] std::size_t capacity_for(std::size_t slots) const;
  [[nodiscard]] std::size_t depth_for(const FeatureView& x) const;
  void turn_sparse();
  [[nodiscard]] std::size_t bytes(std::size_t capacity, std::size_t depth, std::size_t features) const;
  [[nodiscard]] static std::size_t bytes_beside_rows(std::size_t capacity) {
    return capacity * (sizeof(T) + 2 * sizeof(double));
  }
  void forget_results(std::size_t slot);
  [[nodiscard]] FeatureView view_of(std::size_t slot) const;

  // Evaluation.
  [[nodiscard]] double squared_norm(const FeatureView& x) const;
  [[nodiscard]] std::size_t find_upcoming(const FeatureView& x) const;
  [[nodiscard]] bool is_last(const FeatureView& x, std::size_t upcoming) const;
  void remember(const FeatureView& x, std::size_t upcoming) const;
  void multiply_one(const FeatureView& x) const;
  void multiply_panels_of(const FeatureView& x, std::size_t first, std::size_t count) const;
  void multiply_upcoming(std::size_t upcoming) const;
  void multiply_block(std::size_t begin) const;
  [[nodiscard]] std::size_t used_panels() const { return panels_for(size_, wide_rows<T>); }

  Kernel kernel_;
  MemoryShare memory_;
  std::size_t depth_hint_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  bool is_sparse_ = false;
  PanelRows<T> panels_;
  SparseRows<T> sparse_;
  std::vector<double> norms_;

  // What comes next, and the products of a block of it with the supports of the moment of its evaluation.
  struct Block {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t panels = 0;             // that were there
    std::vector<std::uint8_t> changed;  // since then, one a panel
    AlignedVector<T> instances;
    AlignedVector<T> products;  // block.panels panels a row
  };
  std::span<const FeatureView> upcoming_;
  bool reads_ahead_ = false;

  // Results and room for them; no part of the state.
  mutable std::size_t cursor_ = 0;
  mutable Block block_;
  mutable AlignedVector<T> products_;
  mutable AlignedVector<double> row_;
  mutable std::vector<T> spread_;  // all 0 between uses
  mutable std::vector<T> rounded_;
  // The instance of row_: an upcoming one, or a copy of it, as its place may hold another next time.
  mutable bool has_last_ = false;
  mutable std::size_t last_upcoming_ = nowhere;
  mutable bool last_is_dense_ = false;
  mutable std::vector<Index> last_indices_;
  mutable std::vector<double> last_values_;
  mutable std::vector<Index> view_indices_;
  mutable std::vector<double> view_values_;
};

}  // namespace askfew
