#pragma once

#include <span>
#include <utility>
#include <vector>

#include "askfew/core/concepts.h"

namespace askfew {

/// The common part of all learners on these cores: the margin w.x / (1 + r) and the core's update. A Core is
/// a Covariance (linear), a DualCovariance of a kernel, or a DiagonalCovariance, whose learners do the update
/// themselves.
template <class Core>
class CovarianceLearner {
 public:
  static constexpr bool margin_is_divided = true;

  [[nodiscard]] double margin(const FeatureView& x) const { return core_.score(x) / (1 + core_.spread(x)); }
  [[nodiscard]] double undivided_margin(const FeatureView& x) const { return core_.score(x); }
  [[nodiscard]] double spread(const FeatureView& x) const { return core_.spread(x); }
  [[nodiscard]] double spread_bound(const FeatureView& x) const { return core_.spread_bound(x); }
  void update(const FeatureView& x, Label y, double /*margin*/) { core_.update(x, sign(y)); }
  /// The two halves of an update, for a learner with several parts: after `prepare` nothing can fail; before
  /// `commit` nothing has changed.
  void prepare(const FeatureView& x, Label y)
    requires requires(Core& core) { core.prepare(x, 1.0); }
  {
    core_.prepare(x, sign(y));
  }
  void commit(const FeatureView& x)
    requires requires(Core& core) { core.commit(x); }
  {
    core_.commit(x);
  }

  [[nodiscard]] std::vector<double> weights() const
    requires requires(const Core& core) { core.weights(); }
  {
    return core_.weights();
  }
  [[nodiscard]] double squared_norm(const FeatureView& x) const
    requires requires(const Core& core) { core.squared_norm(x); }
  {
    return core_.squared_norm(x);
  }
  void read_ahead(std::span<const FeatureView> upcoming)
    requires requires(Core& core) { core.read_ahead(upcoming); }
  {
    core_.read_ahead(upcoming);
  }

  static void state(auto& self, auto& visit) { visit("core", self.core_); }
  [[nodiscard]] bool consistent() const { return core_.consistent(); }
  [[nodiscard]] const Core& core() const { return core_; }

 protected:
  explicit CovarianceLearner(Core core) : core_(std::move(core)) {}

  Core core_;
};

}  // namespace askfew
