#pragma once

#include <span>
#include <tuple>
#include <type_traits>
#include <variant>

#include "askfew/kernels/supports.h"
#include "askfew/system/scratch_pool.h"

namespace askfew {

/// Of the two precisions one is used, the other takes no room.
using KernelRooms = std::tuple<KernelRoom<double>, KernelRoom<float>>;
/// The kernel of an instance with every support, valid as long as this object.
using KernelRow = ScratchSpan<KernelRooms>;

/// The stored examples of a kernel learner, in slots 0, 1, ..., size() - 1, and the kernel of instances with
/// all of them. Dense panels while no support has a feature beyond the 4096th, sparse rows from then on;
/// numbers of the precision that the parameters say. Instances to come are evaluated in blocks. None of this
/// changes a bit of a result: a product is one chain of fused multiply-adds in the order of the features.
///
/// Cost of a row: O(size d) dense, O(nnz of all supports) sparse. Grows by doubling; what it takes is charged
/// to the setting's memory limit, and a row for each thread that asks at the same time is not. Const members
/// are safe from many threads at the same time.
class SupportSet {
 public:
  SupportSet(const KernelParams& params, const Setting& setting)
      : supports_(static_cast<Precision>(params.precision) == Precision::single_precision
                      ? Any(Supports<float>(Kernel(params), setting))
                      : Any(Supports<double>(Kernel(params), setting))) {}

  [[nodiscard]] std::size_t size() const {
    return std::visit([](const auto& s) { return s.size(); }, supports_);
  }

  /// Makes room to store x in so many slots. THROWS: MemoryError.
  void reserve(std::size_t slots, const FeatureView& x) {
    std::visit(
        [&]<class T>(Supports<T>& s) {
          if (s.reserve(slots, x)) s.fit(std::get<KernelRoom<T>>(*rooms_.borrow()));
        },
        supports_);
  }
  /// Stores x in a new last slot. THROWS: MemoryError, and then stores nothing.
  void add(const FeatureView& x) {
    std::visit([&](auto& s) { s.set(s.size(), x); }, supports_);
  }
  /// REQUIRES: slot < size().
  void replace(std::size_t slot, const FeatureView& x) {
    std::visit([&](auto& s) { s.set(slot, x); }, supports_);
  }
  /// The last slot takes the place of this one. REQUIRES: slot < size().
  void remove(std::size_t slot) {
    std::visit([&](auto& s) { s.remove(slot); }, supports_);
  }

  /// K(support s, x) for every slot s. The row of the same x again costs nothing, as long as the supports are
  /// the same.
  [[nodiscard]] KernelRow row(const FeatureView& x) const {
    return in_room([&](const auto& s, auto& room) { return s.row(x, room); });
  }
  /// The row of a support.
  [[nodiscard]] KernelRow row_of(std::size_t slot) const {
    return in_room([&](const auto& s, auto& room) { return s.row_of(slot, room); });
  }
  /// K(x, x), exactly 1 for rbf.
  [[nodiscard]] double self(const FeatureView& x) const {
    const auto rooms = rooms_.borrow();
    return std::visit(
        [&]<class T>(const Supports<T>& s) { return s.self(x, std::get<KernelRoom<T>>(*rooms)); }, supports_);
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

  template <class Evaluate>
  [[nodiscard]] KernelRow in_room(Evaluate&& evaluate) const {
    auto rooms = rooms_.borrow();
    const std::span<const double> values = std::visit(
        [&]<class T>(const Supports<T>& s) { return evaluate(s, std::get<KernelRoom<T>>(*rooms)); },
        supports_);
    return {std::move(rooms), values};
  }
  void load(const SavedSupports& saved) {
    is_consistent_ = saved.consistent();
    std::visit([&](auto& s) { s.load(is_consistent_ ? saved : SavedSupports{}); }, supports_);
  }
  Any supports_;
  ScratchPool<KernelRooms> rooms_;
  bool is_consistent_ = true;
};

}  // namespace askfew
