#pragma once

#include <span>
#include <utility>

#include "askfew/core/concepts.h"

namespace askfew {

/// What every learner on one of the cores has: the margin w.x / (1 + r) and the core's update. A Core is a
/// Covariance (linear), a DualCovariance of a kernel, or a DiagonalCovariance, whose learners update it
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

  [[nodiscard]] double squared_norm(const FeatureView& x) const
    requires requires(const Core& core) { core.squared_norm(x); }
  {
    return core_.squared_norm(x);
  }
  [[nodiscard]] std::size_t growth(const FeatureView& x) const
    requires requires(const Core& core) { core.growth(x); }
  {
    return core_.growth(x);
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
