#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "askfew/composed/online_scaler.h"
#include "askfew/core/shared_margins.h"
#include "askfew/linalg/aligned.h"

namespace askfew {

/// The scaler of several tasks that see the same instances: each instance is counted and scaled once for all
/// of them. The weights and variances of a feature are adjacent for all tasks, so that one pass over the
/// scaled instance gives the sums of all tasks, each with the same bits as if the task had a scaler of its
/// own.
class ScaledTasks final : public SharedWork {
 public:
  ScaledTasks(std::size_t tasks, const OnlineScaler::Options& options);

  /// Requests the upcoming weights from the memory. The first task that sees x does the work of all.
  void prepare(const FeatureView& x, std::span<const FeatureView::Index> upcoming) override;

  [[nodiscard]] const OnlineScaler& scaler() const { return scaler_; }
  /// Begins again with another scaler; the weights stay as they are.
  void set_scaler(const OnlineScaler& scaler);
  /// Counts and scales an instance, and adds up the sums of all tasks. THROWS: as OnlineScaler::see.
  void see(const FeatureView& x, double constant);
  /// The instance that was seen last.
  [[nodiscard]] const ScaledInstance& instance() const { return instance_; }
  [[nodiscard]] ScaledInstance& instance() { return instance_; }
  /// The sums of a task for this instance, with the weights that the task had when it was seen.
  [[nodiscard]] double margin(std::size_t slot) const { return margins_[slot]; }
  [[nodiscard]] double spread(std::size_t slot) const { return spreads_[slot]; }
  /// Scales an instance and adds up the sums of one task; changes nothing.
  void scale(std::size_t slot, const FeatureView& x, double constant, ScaledInstance& out) const;

  /// The records of features, of which the constant is the first.
  [[nodiscard]] std::size_t features() const { return scaler_.records().size(); }
  [[nodiscard]] double& weight(std::size_t slot, std::size_t i) { return numbers_[place_of(slot, i)]; }
  [[nodiscard]] double weight(std::size_t slot, std::size_t i) const { return numbers_[place_of(slot, i)]; }
  [[nodiscard]] double& variance(std::size_t slot, std::size_t i) {
    return numbers_[place_of(slot, i) + slots_at_once];
  }
  [[nodiscard]] double variance(std::size_t slot, std::size_t i) const {
    return numbers_[place_of(slot, i) + slots_at_once];
  }

 private:
  /// For every feature and every eight tasks: their weights, then their variances.
  [[nodiscard]] std::size_t place_of(std::size_t slot, std::size_t i) const {
    return 2 * (i * slots_ + slot) - slot % slots_at_once;
  }
  void cover(std::size_t features);

  std::size_t slots_;  // capacity for tasks
  double variance_;    // of a weight that was not learned yet
  OnlineScaler scaler_;
  ScaledInstance instance_;
  AlignedVector<double> numbers_;
  AlignedVector<double> margins_;
  AlignedVector<double> spreads_;
};

}  // namespace askfew
