#pragma once

// The interface of the two ways to store examples: dense panels and sparse rows.

#include <cstdint>
#include <span>
#include <vector>

#include "askfew/core/concepts.h"
#include "askfew/kernels/kernel.h"
#include "askfew/kernels/panel_rows.h"
#include "askfew/kernels/sparse_rows.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// Supports as stored in a model file, for any storage: row s has lengths[s] features; rows are contiguous.
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

/// A support as an instance.
struct StoredExample {
  std::vector<FeatureView::Index> indices;
  std::vector<double> values;

  [[nodiscard]] FeatureView x() const { return FeatureView::unchecked_sparse(indices, values); }
};

/// Results of evaluations and their memory: a cache that knows its inputs.
template <class T>
struct KernelRoom {
  using Index = FeatureView::Index;

  // The row of one instance, and the instance itself: an upcoming instance, or a copy, because its memory may
  // contain another instance next time.
  std::uint64_t version = 0;  // version of the inputs; 0: no row
  std::size_t upcoming = 0;
  bool is_dense = false;
  std::vector<Index> indices;
  std::vector<double> values;
  AlignedVector<T> products;
  AlignedVector<double> row;

  // Products of a block of upcoming instances with the supports at that time.
  struct Block {
    std::uint64_t version = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t panels = 0;  // number of panels at that time
    AlignedVector<T> instances;
    AlignedVector<T> products;  // `panels` panels per row
  };
  std::uint64_t reading = 0;  // number of the reading that cursor and block belong to
  std::size_t cursor = 0;
  Block block;

  std::vector<T> spread;  // all 0 between uses
  std::vector<T> rounded;
  StoredExample support;
};

/// The supports of one learner, with elements of type T; see SupportSet.
template <class T>
class Supports {
 public:
  using Room = KernelRoom<T>;

  Supports(const Kernel& kernel, const Setting& setting);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Makes room for so many supports, including x; returns whether rows become longer than before. THROWS:
  /// MemoryError.
  bool reserve(std::size_t slots, const FeatureView& x);
  /// Makes room for a row.
  void fit(Room& room) const;
  void set(std::size_t slot, const FeatureView& x);
  void remove(std::size_t slot);
  void clear();

  /// Computed in the given room.
  [[nodiscard]] std::span<const double> row(const FeatureView& x, Room& room) const;
  [[nodiscard]] std::span<const double> row_of(std::size_t slot, Room& room) const;
  [[nodiscard]] double self(const FeatureView& x, Room& room) const {
    return kernel_.self(squared_norm(x, room.rounded));
  }
  [[nodiscard]] double self_of(std::size_t slot) const { return kernel_.self(norms_[slot]); }
  void read_ahead(std::span<const FeatureView> upcoming);

  [[nodiscard]] SavedSupports saved() const;
  /// REQUIRES: saved.consistent().
  void load(const SavedSupports& saved);

 private:
  using Index = FeatureView::Index;

  // Up to here features are stored in dense panels; an instance beyond turns them into sparse rows
  // permanently.
  static constexpr std::size_t max_dense = 4096;
  // Upcoming instances whose products are computed together: eight narrow panels.
  static constexpr std::size_t block_size = 8 * narrow_rows;
  static constexpr std::size_t nowhere = ~std::size_t{0};

  // Storage.
  void turn_sparse();
  [[nodiscard]] std::size_t bytes(std::size_t capacity, std::size_t depth, std::size_t features) const;
  void forget_results(std::size_t slot);
  void copy(std::size_t slot, StoredExample& to) const;

  // Evaluation.
  [[nodiscard]] double squared_norm(const FeatureView& x, std::vector<T>& rounded) const;
  [[nodiscard]] std::size_t find_upcoming(const FeatureView& x, Room& room) const;
  [[nodiscard]] bool is_in(const Room& room, const FeatureView& x, std::size_t upcoming) const;
  void remember(const FeatureView& x, std::size_t upcoming, Room& room) const;
  void multiply_one(const FeatureView& x, Room& room) const;
  void multiply_panels_of(const FeatureView& x, std::size_t first, std::size_t count, Room& room) const;
  void multiply_upcoming(std::size_t upcoming, Room& room) const;
  void multiply_block(std::size_t begin, Room& room) const;
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
  std::vector<T> rounded_;

  std::span<const FeatureView> upcoming_;
  bool reads_ahead_ = false;

  // Results record these versions, to show whether they are still valid.
  std::uint64_t version_ = 1;                  // version of the supports and the upcoming instances
  std::uint64_t reading_ = 1;                  // version of the upcoming instances
  std::vector<std::uint64_t> panel_versions_;  // for each panel of the supports: the version of its last
                                               // change
};

}  // namespace askfew
