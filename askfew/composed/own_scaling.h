#pragma once

#include "askfew/composed/online_scaler.h"

namespace askfew {

/// The scaler of one task; its records have the task's weights.
class OwnScaling {
 public:
  explicit OwnScaling(const OnlineScaler::Options& options) : scaler_(options) {}

  /// An instance as it was seen, with the sums of the task.
  using Seen = ScaledInstance;
  [[nodiscard]] static const ScaledInstance& instance(const Seen& seen) { return seen; }
  [[nodiscard]] static const Seen& as_seen(const ScaledInstance& scaled) { return scaled; }

  /// Counts an instance and scales it; then calls finish(instance). THROWS: as OnlineScaler::see.
  template <class Finish>
  void see(const FeatureView& x, double constant, Seen& seen, Finish&& finish) {
    scaler_.see(x, constant, seen);
    finish(seen);
  }
  void scale(const FeatureView& x, double constant, ScaledInstance& out) const {
    scaler_.scale(x, constant, out);
  }

  [[nodiscard]] const OnlineScaler& scaler() const { return scaler_; }
  [[nodiscard]] double& weight(std::size_t i) { return scaler_.records()[i].weight; }
  [[nodiscard]] double weight(std::size_t i) const { return scaler_.records()[i].weight; }
  [[nodiscard]] double& variance(std::size_t i) { return scaler_.records()[i].variance; }
  [[nodiscard]] double variance(std::size_t i) const { return scaler_.records()[i].variance; }

  static void state(auto& self, auto& visit) { visit("scaler", self.scaler_); }

 private:
  OnlineScaler scaler_;
};

}  // namespace askfew
