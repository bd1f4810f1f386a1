#pragma once

// Work that several tasks do together, once per instance, and margins that they compute in this way.

#include <cstddef>
#include <cstdint>
#include <span>

#include "askfew/core/features.h"

namespace askfew {

/// Margins of up to 64 tasks, compared with bounds; bit k belongs to the k-th task.
struct MarginBits {
  std::uint64_t large = 0;     ///< the margin is finite, and |margin| is above its bound
  std::uint64_t positive = 0;  ///< the margin is above 0
};

/// Work that several tasks share: done once per instance for all tasks. One thread runs all of these tasks,
/// and each of them is asked about an instance before any is asked about the next one.
class SharedWork {
 public:
  static constexpr std::size_t slots_at_once = 8;  ///< tasks whose numbers fill a cache line

  SharedWork() = default;
  SharedWork(const SharedWork&) = delete;
  SharedWork& operator=(const SharedWork&) = delete;
  SharedWork(SharedWork&&) = delete;
  SharedWork& operator=(SharedWork&&) = delete;
  virtual ~SharedWork() = default;

  /// Computes in advance what the tasks need for x; changes no result. x must not change until the next call.
  /// `upcoming`: features of the next instances; an implementation may start to load their weights.
  virtual void prepare(const FeatureView& x, std::span<const FeatureView::Index> upcoming) = 0;
  /// Discards the prepared work.
  void release() { prepare({}, {}); }
};

/// Margins that tasks compute together.
class SharedMargins : public SharedWork {
 public:
  /// The margins of the prepared instance, one per task, before any of these tasks learns it.
  [[nodiscard]] virtual std::span<const double> margins() const = 0;
  /// Compares the k-th margin with the larger one of bounds[k] * norm and `least`. REQUIRES: at most 64
  /// bounds, and no more bounds than margins; their number is a multiple of 8.
  [[nodiscard]] virtual MarginBits compare(std::span<const double> bounds, double norm,
                                           double least) const = 0;
};

}  // namespace askfew
