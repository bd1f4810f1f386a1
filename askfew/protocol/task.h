#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "askfew/core/new_features.h"
#include "askfew/core/shared_margins.h"
#include "askfew/estimates/calibration.h"
#include "askfew/estimates/confusion.h"
#include "askfew/estimates/quality_monitor.h"
#include "askfew/protocol/any_sampler.h"

namespace askfew {

/// One binary task of a run: a sampler, and its predictions compared with the true labels, known or
/// estimated.
struct Task {
  std::string name;
  std::size_t label = 0;  ///< the index of the predicted label in the labelling
  std::unique_ptr<AnySampler> sampler;
  Confusion confusion;
  /// Probabilities from asked labels: that a label is positive. Of classes the first task has one for all:
  /// that the predicted class is right.
  Calibration calibration{};
  bool has_exact_margins = true;            ///< false: the margin of a query may be a bound
  std::unique_ptr<QualityMonitor> watch{};  ///< quality from asked labels only; null without an audit
  std::shared_ptr<SharedWork>
      shared{};  ///< shared with neighbouring tasks that have the same pointer; null: no sharing
};

/// Tells all tasks the next instances; all tasks are asked about the same instance at a time. Changes no
/// result, only the speed. REQUIRES: the instances do not change during the lifetime of the Lookahead.
class Lookahead {
 public:
  /// `new_features`: of these instances; null: tasks with shared weights request no weights in advance.
  Lookahead(std::span<Task> tasks, std::span<const FeatureView> instances,
            const NewFeatures* new_features = nullptr);
  ~Lookahead();
  Lookahead(const Lookahead&) = delete;
  Lookahead& operator=(const Lookahead&) = delete;
  Lookahead(Lookahead&&) = delete;
  Lookahead& operator=(Lookahead&&) = delete;

  /// The tasks will be asked about this row next.
  void go_to(std::size_t row);

 private:
  template <class F>
  void for_each_shared(F&& f);

  std::span<Task> tasks_;
  std::span<const FeatureView> instances_;
  const NewFeatures* new_features_;
  bool is_one_group_ = true;  // all tasks share the same margins
};

/// Groups of consecutive tasks that share work, and single tasks: one thread runs one unit.
std::vector<std::span<Task>> units_of(std::span<Task> tasks);

/// The margins of every task on the instances, instance by instance. THROWS: NumericError, MemoryError.
std::vector<double> margins_of(std::span<Task> tasks, std::span<const FeatureView> instances);

}  // namespace askfew
