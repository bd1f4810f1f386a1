#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "askfew/composed/scaled_tasks.h"
#include "askfew/core/errors.h"
#include "askfew/core/expects.h"

namespace askfew {

/// The scaler that a task shares with other tasks, and the task's weights among theirs. Each task sees every
/// instance, and no task sees the next one before all have seen the present one.
class SharedScaling {
 public:
  /// REQUIRES: no other object uses this slot.
  SharedScaling(std::shared_ptr<ScaledTasks> all, std::size_t slot, const OnlineScaler::Options& options)
      : options_(options), all_(std::move(all)), slot_(slot) {}
  /// A copy shares nothing.
  SharedScaling(const SharedScaling& other)
      : SharedScaling(std::make_shared<ScaledTasks>(1, other.options_), 0, other.options_) {
    all_->set_scaler(other.scaler());
    seen_ = other.seen_;
    for (std::size_t i = 0; i < all_->features(); ++i) {
      weight(i) = other.weight(i);
      variance(i) = other.variance(i);
    }
  }
  SharedScaling& operator=(const SharedScaling&) = delete;
  SharedScaling(SharedScaling&&) = default;
  SharedScaling& operator=(SharedScaling&&) = default;
  ~SharedScaling() = default;

  /// An instance as it was seen, with the sums of this task; valid until a task sees the next instance.
  struct Seen {
    const ScaledInstance* scaled = nullptr;
    double margin = 0;
    double spread = 0;
  };
  [[nodiscard]] static const ScaledInstance& instance(const Seen& seen) { return *seen.scaled; }
  [[nodiscard]] static Seen as_seen(const ScaledInstance& scaled) {
    return {.scaled = &scaled, .margin = scaled.margin, .spread = scaled.spread};
  }

  /// The first task that sees an instance counts and scales it, and calls finish(instance). THROWS: as
  /// OnlineScaler::see.
  template <class Finish>
  void see(const FeatureView& x, double constant, Seen& seen, Finish&& finish) {
    if (seen_ == scaler().rounds()) {
      all_->see(x, constant);
      finish(all_->instance());
    }
    seen_ = scaler().rounds();
    seen = {.scaled = &all_->instance(), .margin = all_->margin(slot_), .spread = all_->spread(slot_)};
  }
  void scale(const FeatureView& x, double constant, ScaledInstance& out) const {
    all_->scale(slot_, x, constant, out);
  }

  [[nodiscard]] const OnlineScaler& scaler() const { return std::as_const(*all_).scaler(); }
  [[nodiscard]] double& weight(std::size_t i) { return all_->weight(slot_, i); }
  [[nodiscard]] double weight(std::size_t i) const { return std::as_const(*all_).weight(slot_, i); }
  [[nodiscard]] double& variance(std::size_t i) { return all_->variance(slot_, i); }
  [[nodiscard]] double variance(std::size_t i) const { return std::as_const(*all_).variance(slot_, i); }

  /// Every task saves the scaler, as if it had one of its own. The first task that is loaded sets the scaler.
  /// THROWS: ModelError if that of another task differs.
  static void state(auto& self, auto& visit) {
    if constexpr (std::is_const_v<std::remove_reference_t<decltype(self)>>) {
      visit("scaler", self.scaler());
    } else {
      OnlineScaler loaded(self.options_);
      visit("scaler", loaded);
      if (self.slot_ == 0) {
        self.all_->set_scaler(loaded);
      } else if (!(loaded == self.scaler())) {
        throw ModelError("the tasks have not seen the same instances");
      }
      self.seen_ = loaded.rounds();
    }
  }

 private:
  OnlineScaler::Options options_;
  std::shared_ptr<ScaledTasks> all_;
  std::size_t slot_;
  std::uint64_t seen_ = 0;  // instances
};

}  // namespace askfew
