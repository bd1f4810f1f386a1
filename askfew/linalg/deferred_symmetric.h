#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/linalg/aligned.h"
#include "askfew/linalg/blocked_vector.h"
#include "askfew/system/memory_limit.h"
#include "askfew/system/scratch_pool.h"

namespace askfew {

/// A symmetric matrix M that grows and gets rank-one updates, M -= scale q q'.
///
/// Updates are deferred: M = M0 + shift I - sum of u u' over at most `block` pending vectors u, which are
/// applied together. M0 is then read and written once for all of them, so that the speed is limited by the
/// processor, not by the memory. Products with M include the pending vectors, so the deferral is invisible.
/// Many threads may call const members at the same time.
class DeferredSymmetric {
 public:
  using Index = FeatureView::Index;
  static constexpr std::size_t block = 32;

  /// Starts with 0 rows; every added row has this value on the diagonal and 0 elsewhere.
  DeferredSymmetric(double diagonal, MemoryShare memory) : diagonal_(diagonal), memory_(std::move(memory)) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  /// The number of pending updates.
  [[nodiscard]] std::size_t waiting() const { return waiting_; }
  /// The diagonal of a row that no update has touched yet.
  [[nodiscard]] double untouched_diagonal() const { return diagonal_ + shift_; }

  /// Takes the memory for `grow(size)`. Changes nothing else. THROWS: MemoryError.
  void reserve(std::size_t size);
  /// Adds rows and columns up to `size`. THROWS: MemoryError.
  void grow(std::size_t size);

  /// x'Mx. REQUIRES: x.extent() <= size().
  [[nodiscard]] double quadratic(const FeatureView& x) const;
  /// out = (M + amount I) x, where M has as many rows as `out`: rows not added yet count with their initial
  /// values. REQUIRES: x.extent() <= out.size(), size() <= out.size().
  void multiply(const FeatureView& x, double amount, std::span<double> out) const;

  /// Will the next update fill the block, so that all pending updates are applied?
  [[nodiscard]] bool is_block_full_after_next() const { return waiting_ + 1 == block; }
  /// M -= scale q q'. REQUIRES: q.size() == size(), scale >= 0, numbers whose products are finite.
  void subtract_outer(std::span<const double> q, double scale);
  /// M += amount I.
  void add_to_diagonal(double amount) { shift_ += amount; }

  /// Applies the pending updates.
  void flush();
  /// Row i of M. REQUIRES: no update is pending: flush() was the last call that changed M.
  [[nodiscard]] std::span<double> row(std::size_t i) { return {m_.data() + i * stride_, size_}; }
  [[nodiscard]] std::span<const double> row(std::size_t i) const { return {m_.data() + i * stride_, size_}; }
  /// Removes all rows and returns their memory; rows added from now on have this value on the diagonal.
  void start_over(double diagonal);

  static void state(auto& self, auto& visit) {
    visit("size", self.size_);
    visit("stride", self.stride_);
    visit("matrix", self.m_);
    visit("pending", self.pending_);
    visit("waiting", self.waiting_);
    visit("diagonal", self.diagonal_);
    visit("shift", self.shift_);
  }
  [[nodiscard]] bool consistent() const;

 private:
  [[nodiscard]] std::size_t stride_for(std::size_t size) const;

  std::uint64_t size_ = 0;
  std::uint64_t stride_ = 0;       // capacity for rows and columns; a multiple of 8
  AlignedVector<double> m_;        // M0, both triangles, row by row; 0 beyond size_
  AlignedVector<double> pending_;  // the vectors u, one after the other; 0 beyond size_
  std::uint64_t waiting_ = 0;      // number of pending vectors
  double diagonal_;
  double shift_ = 0;
  MemoryShare memory_;
  std::vector<double> workspace_;
  ScratchPool<BlockedVector> rooms_;
};

}  // namespace askfew
