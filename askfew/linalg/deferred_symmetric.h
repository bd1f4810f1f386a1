#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "askfew/core/features.h"
#include "askfew/linalg/aligned.h"
#include "askfew/linalg/blocked_vector.h"
#include "askfew/system/memory_limit.h"

namespace askfew {

/// A symmetric matrix M that is changed by rank-one updates, M -= scale q q', and grows.
///
/// Updates wait: M = M0 + shift I - sum of u u' over at most `block` pending vectors u, which are applied
/// together. M0 is then read and written once for all of them, at the speed of the processor instead of the
/// memory's. Products with M see the pending vectors, so nobody can tell.
class DeferredSymmetric {
 public:
  using Index = FeatureView::Index;
  static constexpr std::size_t block = 32;

  /// Starts with 0 rows; every row that is added has this on the diagonal and 0 elsewhere.
  DeferredSymmetric(double diagonal, MemoryShare memory) : diagonal_(diagonal), memory_(std::move(memory)) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  /// How many updates wait.
  [[nodiscard]] std::size_t waiting() const { return waiting_; }
  /// The diagonal of a row that no update has touched yet.
  [[nodiscard]] double untouched_diagonal() const { return diagonal_ + shift_; }

  /// Adds rows and columns up to `size`. THROWS: MemoryError.
  void grow(std::size_t size);
  /// How much memory that takes.
  [[nodiscard]] std::size_t growth(std::size_t size) const;

  /// x'Mx. REQUIRES: x.extent() <= size().
  [[nodiscard]] double quadratic(const FeatureView& x) const;
  /// out = Mx. REQUIRES: x.extent() <= size() == out.size().
  void multiply(const FeatureView& x, std::span<double> out) const;

  /// M -= scale q q'. REQUIRES: q.size() == size(), scale >= 0. THROWS: NumericFailure if a number is no
  /// longer finite.
  void subtract_outer(std::span<const double> q, double scale);
  /// M += amount I.
  void add_to_diagonal(double amount) { shift_ += amount; }

  /// Applies what is pending.
  void flush();
  /// Row i of M. REQUIRES: nothing is pending: flush() was the last call that changed M.
  [[nodiscard]] std::span<double> row(std::size_t i) { return {m_.data() + i * stride_, size_}; }
  [[nodiscard]] std::span<const double> row(std::size_t i) const { return {m_.data() + i * stride_, size_}; }
  /// Empty again, and all memory given back; rows that are added from now on have this on the diagonal.
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
  /// The stride that it has once it has grown to `size`, and what it takes then.
  [[nodiscard]] std::size_t stride_for(std::size_t size) const;
  [[nodiscard]] std::size_t bytes_for(std::size_t size) const {
    return stride_for(size) * (stride_for(size) + block) * sizeof(double);
  }
  [[nodiscard]] std::span<const double> pending(std::size_t j) const {
    return {pending_.data() + j * stride_, size_};
  }

  std::uint64_t size_ = 0;
  std::uint64_t stride_ = 0;       // room for so many rows and columns; a multiple of 8
  AlignedVector<double> m_;        // M0, both triangles, row by row; 0 beyond size_
  AlignedVector<double> pending_;  // the vectors u, one after the other; 0 beyond size_
  std::uint64_t waiting_ = 0;      // how many of them
  double diagonal_;
  double shift_ = 0;
  MemoryShare memory_;
  std::vector<double> workspace_;
  mutable BlockedVector nonzeros_;
};

}  // namespace askfew
