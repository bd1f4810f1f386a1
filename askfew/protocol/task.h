#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "askfew/core/shared_margins.h"
#include "askfew/estimates/confusion.h"
#include "askfew/estimates/quality_monitor.h"
#include "askfew/protocol/any_sampler.h"

namespace askfew {

/// One binary task of a run: a sampler, and its predictions against the truth, known or estimated.
struct Task {
  std::string name;
  std::size_t label = 0;  ///< which of the labelling's labels it predicts
  std::unique_ptr<AnySampler> sampler;
  Confusion confusion;
  std::unique_ptr<QualityMonitor> watch{};  ///< what asked labels alone say; none without an audit
  std::shared_ptr<SharedMargins>
      shared{};  ///< with the tasks beside it that have the same; none: works alone
};

/// Tells tasks which instances they will be asked about, all of them about the same one at a time. It changes
/// no result, only the speed. REQUIRES: the instances stay as they are while it lives.
class Lookahead {
 public:
  Lookahead(std::span<Task> tasks, std::span<const FeatureView> instances);
  ~Lookahead();
  Lookahead(const Lookahead&) = delete;
  Lookahead& operator=(const Lookahead&) = delete;
  Lookahead(Lookahead&&) = delete;
  Lookahead& operator=(Lookahead&&) = delete;

  /// The tasks will be asked about this one now.
  void go_to(std::size_t row);

 private:
  template <class F>
  void for_each_shared(F&& f);

  std::span<Task> tasks_;
  std::span<const FeatureView> instances_;
};

/// Tasks in a row that share work, and those that work alone: what one thread runs.
std::vector<std::span<Task>> units_of(std::span<Task> tasks);

/// The margins of every task on instances, instance by instance. THROWS: NumericError, MemoryError.
std::vector<double> margins_of(std::span<Task> tasks, std::span<const FeatureView> instances);

}  // namespace askfew
