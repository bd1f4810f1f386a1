#pragma once

#include <span>
#include <type_traits>
#include <variant>

#include "askfew/kernels/supports.h"

namespace askfew {

/// The stored examples of a kernel learner, in slots 0, 1, ..., size() - 1, and the kernel of instances with
/// all of them. Dense panels while no support has a feature beyond the 4096th, sparse rows from then on;
/// numbers of the precision that the parameters say. Instances to come are evaluated in blocks. None of this
/// changes a bit of a result: a product is one chain of fused multiply-adds in the order of the features.
///
/// Cost of a row: O(size d) dense, O(nnz of all supports) sparse. Grows by doubling; what it takes is charged
/// to the setting's memory limit. One set serves one thread: it keeps its last row.
class SupportSet {
 public:
  SupportSet(const KernelParams& params, const Setting& setting)
      : supports_(static_cast<Precision>(params.precision) == Precision::single_precision
                      ? Any(Supports<float>(Kernel(params), setting))
                      : Any(Supports<double>(Kernel(params), setting))) {}

  [[nodiscard]] std::size_t size() const {
    return std::visit([](const auto& s) { return s.size(); }, supports_);
  }

  /// Stores x in a new last slot. THROWS: MemoryError, and then stores nothing.
  void add(const FeatureView& x) {
    std::visit([&](auto& s) { s.set(s.size(), x); }, supports_);
  }
  /// REQUIRES: slot < size().
  void replace(std::size_t slot, const FeatureView& x) {
    std::visit([&](auto& s) { s.set(slot, x); }, supports_);
  }
  /// How much memory `add` and `replace` take.
  [[nodiscard]] std::size_t growth_if_added(const FeatureView& x) const {
    return std::visit([&](const auto& s) { return s.growth(s.size() + 1, x); }, supports_);
  }
  [[nodiscard]] std::size_t growth_if_replaced(const FeatureView& x) const {
    return std::visit([&](const auto& s) { return s.growth(s.size(), x); }, supports_);
  }
  /// The last slot takes the place of this one. REQUIRES: slot < size().
  void remove(std::size_t slot) {
    std::visit([&](auto& s) { s.remove(slot); }, supports_);
  }

  /// K(support s, x) for every slot s, until the next call of a member. The row of the same x again costs
  /// nothing, as long as the supports are the same.
  [[nodiscard]] std::span<const double> row(const FeatureView& x) const {
    return std::visit([&](const auto& s) { return s.row(x); }, supports_);
  }
  /// The row of a support.
  [[nodiscard]] std::span<const double> row_of(std::size_t slot) const {
    return std::visit([&](const auto& s) { return s.row_of(slot); }, supports_);
  }
  /// K(x, x), exactly 1 for rbf.
  [[nodiscard]] double self(const FeatureView& x) const {
    return std::visit([&](const auto& s) { return s.self(x); }, supports_);
  }
  [[nodiscard]] double self_of(std::size_t slot) const {
    return std::visit([&](const auto& s) { return s.self_of(slot); }, supports_);
  }

  /// Instances whose rows will be asked for, in this order; they stay valid until the next call.
  void read_ahead(std::span<const FeatureView> upcoming) {
    std::visit([&](auto& s) { s.read_ahead(upcoming); }, supports_);
  }

  static void state(auto& self, auto& visit) {
    if constexpr (std::is_const_v<std::remove_reference_t<decltype(self)>>) {
      const SavedSupports saved = std::visit([](const auto& s) { return s.saved(); }, self.supports_);
      SavedSupports::state(saved, visit);
    } else {
      SavedSupports loaded;
      SavedSupports::state(loaded, visit);
      self.load(loaded);
    }
  }
  /// Is the state that was just loaded one that could have been saved?
  [[nodiscard]] bool consistent() const { return is_consistent_; }

 private:
  using Any = std::variant<Supports<double>, Supports<float>>;

  void load(const SavedSupports& saved) {
    is_consistent_ = saved.consistent();
    std::visit([&](auto& s) { s.load(is_consistent_ ? saved : SavedSupports{}); }, supports_);
  }
  Any supports_;
  bool is_consistent_ = true;
};

}  // namespace askfew
