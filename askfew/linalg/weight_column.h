#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "askfew/core/expects.h"
#include "askfew/linalg/interleaved_weights.h"

namespace askfew {

/// One task's weights among those of other tasks, used like a learner's own vector.
class WeightColumn {
 public:
  /// A column without neighbours.
  WeightColumn() : WeightColumn(std::make_shared<InterleavedWeights>(1), 0) {}
  /// REQUIRES: no other object uses this slot.
  WeightColumn(std::shared_ptr<InterleavedWeights> all, std::size_t slot)
      : all_(std::move(all)), slot_(slot) {}
  WeightColumn(WeightColumn&&) = default;
  WeightColumn& operator=(WeightColumn&&) = default;
  WeightColumn(const WeightColumn&) = delete;  // each slot has one owner
  WeightColumn& operator=(const WeightColumn&) = delete;
  ~WeightColumn() = default;

  // The same functions as in linalg/sparse.h for a vector.
  friend double dot(const WeightColumn& w, const FeatureView& x) { return w.all_->dot(w.slot_, x); }
  friend void add_scaled(WeightColumn& w, double a, const FeatureView& x) {
    w.size_ = std::max<std::size_t>(w.size_, x.extent());
    w.all_->add_scaled(w.slot_, a, x);
  }
  friend void scale(WeightColumn& w, double factor) { w.all_->scale(w.slot_, factor); }
  friend std::vector<double> values_of(const WeightColumn& w) { return w.values(); }
  friend void replace_values(WeightColumn& w, std::span<const double> values) {
    EXPECTS(values.size() <= w.size_);
    std::vector<double> all(values.begin(), values.end());
    all.resize(w.size_);
    w.set_values(all);
  }

  /// The place of this task among the others: its entry in SharedMargins::margins().
  [[nodiscard]] std::size_t place() const { return slot_; }

  // Saved and loaded as an ordinary vector.
  [[nodiscard]] std::vector<double> values() const { return all_->column(slot_, size_); }
  void set_values(const std::vector<double>& values) {
    all_->set_column(slot_, values);
    size_ = values.size();
  }

 private:
  std::shared_ptr<InterleavedWeights> all_;
  std::size_t slot_;
  std::size_t size_ = 0;  // one past the last updated feature: the size that a vector would have
};

}  // namespace askfew
