#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "askfew/core/shared_margins.h"
#include "askfew/linalg/aligned.h"

namespace askfew {

/// The weights of several tasks, stored feature by feature: the weights of all tasks for one feature are
/// adjacent. One pass over an instance gives the margins of all tasks, with many tasks per register.
///
/// Every product adds in the order of `dot` in linalg/sparse.h, so that a task gets the same bits as with its
/// own weight vector.
class InterleavedWeights final : public SharedMargins {
 public:
  /// Capacity for at least so many tasks.
  explicit InterleavedWeights(std::size_t tasks)
      : slots_((tasks + slots_at_once - 1) / slots_at_once * slots_at_once),
        w_(slots_),  // one feature, so that the pointer is always valid
        dots_(slots_),
        changed_(slots_),
        factors_(slots_),
        waiting_(slots_ / slots_at_once) {}

  /// Computes w.x for all tasks together, and requests the upcoming weights from the memory meanwhile.
  void prepare(const FeatureView& x, std::span<const FeatureView::Index> upcoming) override;
  [[nodiscard]] std::span<const double> margins() const override { return dots_; }
  [[nodiscard]] MarginBits compare(std::span<const double> bounds, double norm, double least) const override;

  /// w.x of one task: the prepared value, if x was prepared and the task's weights have not changed since.
  [[nodiscard]] [[gnu::always_inline]] double dot(std::size_t slot, const FeatureView& x) {
    return is_prepared(x) && changed_[slot] != preparations_ ? dots_[slot] : strided_dot(slot, x);
  }
  /// w += a x of one task. If x is prepared, this waits for other tasks that learn x: all of them are added
  /// in one pass over x, before the next weights are read. THROWS: MemoryError; then nothing has changed.
  void add_scaled(std::size_t slot, double a, const FeatureView& x);
  /// w *= factor of one task.
  void scale(std::size_t slot, double factor);

  /// The task's weights of the features below `size`.
  [[nodiscard]] std::vector<double> column(std::size_t slot, std::size_t size);
  /// Replaces the task's weights; all other features get weight 0.
  void set_column(std::size_t slot, const std::vector<double>& values);

 private:
  [[nodiscard]] std::size_t features() const { return w_.size() / slots_; }
  void cover(std::size_t features) {
    if (features <= this->features()) return;
    // The first instances have most of the features: room for others saves a copy of all weights.
    if (features * slots_ > w_.capacity()) w_.reserve(2 * features * slots_);
    w_.resize(features * slots_);
  }
  [[nodiscard]] bool is_prepared(const FeatureView& x) const {
    return x.size() > 0 && x.values() == prepared_.values() && x.indices() == prepared_.indices() &&
           x.size() == prepared_.size();
  }
  [[nodiscard]] double strided_dot(std::size_t slot, const FeatureView& x);
  /// Is 0 times any weight 0?
  [[nodiscard]] bool are_finite() const { return reach_ < 0x1p+1000; }
  /// Adds what waits.
  void settle() {
    if (waits_) add_waiting();
  }
  void add_waiting();

  std::size_t slots_;        // capacity for tasks
  AlignedVector<double> w_;  // the weight of feature i and task s is at i * slots_ + s
  double reach_ = 0;         // no weight is larger, except for rounding errors

  FeatureView prepared_;
  AlignedVector<double> dots_;
  std::uint64_t preparations_ = 0;
  std::vector<std::uint64_t> changed_;  // by task: `preparations_` when its weights changed last

  // Multiples of the prepared instance that wait to be added. Nothing waits when no instance is prepared: so
  // many threads may read weights then.
  bool waits_ = false;
  AlignedVector<double> factors_;       // by task
  std::vector<unsigned char> waiting_;  // for every 8 tasks: a bit for each that waits
};

}  // namespace askfew
