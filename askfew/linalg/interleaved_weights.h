#pragma once

#include <cstdint>
#include <vector>

#include "askfew/core/shared_margins.h"
#include "askfew/linalg/aligned.h"

namespace askfew {

/// The weights of several tasks, feature by feature: the weights that all tasks have for a feature lie side
/// by side. One pass over an instance gives the margins of all of them, many tasks to a register.
///
/// Every product adds in the order of `dot` in linalg/sparse.h, so that a task has the same bits with weights
/// of its own.
class InterleavedWeights final : public SharedMargins {
 public:
  /// Room for at least so many tasks.
  explicit InterleavedWeights(std::size_t tasks)
      : slots_((tasks + slots_at_once - 1) / slots_at_once * slots_at_once),
        w_(slots_),  // of one feature, so that there is always memory to point to
        dots_(slots_),
        fresh_(slots_) {}

  /// Computes w.x for all tasks at once.
  void prepare(const FeatureView& x) override;
  void prefetch(const FeatureView& x) override;

  /// w.x of one task: the prepared one, if x is and the task's weights have not changed since.
  [[nodiscard]] double dot(std::size_t slot, const FeatureView& x) const {
    if (is_prepared(x) && fresh_[slot] != 0) return dots_[slot];
    return strided_dot(slot, x);
  }
  /// w += a x of one task.
  void add_scaled(std::size_t slot, double a, const FeatureView& x);
  /// w *= factor of one task.
  void scale(std::size_t slot, double factor);

  /// The task's weights of the features below `size`.
  [[nodiscard]] std::vector<double> column(std::size_t slot, std::size_t size) const;
  /// Makes these the task's weights, and 0 those of all other features.
  void set_column(std::size_t slot, const std::vector<double>& values);

 private:
  static constexpr std::size_t slots_at_once = 8;  // a cache line

  [[nodiscard]] std::size_t features() const { return w_.size() / slots_; }
  void cover(std::size_t features) {
    if (features > this->features()) w_.resize(features * slots_);
  }
  [[nodiscard]] bool is_prepared(const FeatureView& x) const {
    return x.values() == prepared_.values() && x.indices() == prepared_.indices() &&
           x.size() == prepared_.size();
  }
  [[nodiscard]] double strided_dot(std::size_t slot, const FeatureView& x) const;

  std::size_t slots_;        // tasks that there is room for
  AlignedVector<double> w_;  // of feature i and task s at i * slots_ + s
  bool finite_ = true;       // no weight is infinite: 0 times any of them is 0

  FeatureView prepared_;
  AlignedVector<double> dots_;
  std::vector<std::uint8_t> fresh_;  // has the task kept its weights since?
};

}  // namespace askfew
