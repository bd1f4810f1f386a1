#pragma once

// The stored examples of a kernel learner.

#include <span>
#include <tuple>
#include <type_traits>
#include <variant>

#include "askfew/kernels/supports.h"
#include "askfew/system/scratch_pool.h"

namespace askfew {

/// Only one of the two precisions is used; the other takes no memory.
using KernelRooms = std::tuple<KernelRoom<double>, KernelRoom<float>>;
/// The kernel values of an instance with all supports, valid as long as this object.
using KernelRow = ScratchSpan<KernelRooms>;

/// The stored examples of a kernel learner, in slots 0, 1, ..., size() - 1, and the kernel values of
/// instances with all of them. Storage is dense panels while all supports have their features among the first
/// 4096, and sparse rows afterwards; the parameters choose the precision. Upcoming instances are evaluated in
/// blocks. None of this changes a bit of a result: a product is one chain of fused multiply-adds in the order
/// of the features.
///
/// Cost of a row: O(size d) dense, O(nnz of all supports) sparse. The storage grows by doubling and counts
/// against the setting's memory limit; the rows of simultaneous threads do not count. Many threads may call
/// const members at the same time.
class SupportSet {
 public:
  SupportSet(const KernelParams& params, const Setting& setting)
      : supports_(static_cast<Precision>(params.precision) == Precision::single_precision
                      ? Any(Supports<float>(Kernel(params), setting))
                      : Any(Supports<double>(Kernel(params), setting))) {}

  [[nodiscard]] std::size_t size() const {
    return std::visit([](const auto& s) { return s.size(); }, supports_);
  }

  /// Makes room to store x with so many slots. THROWS: MemoryError.
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
  /// The last slot moves to this slot. REQUIRES: slot < size().
  void remove(std::size_t slot) {
    std::visit([&](auto& s) { s.remove(slot); }, supports_);
  }

  /// K(support s, x) for every slot s. Asking again for the same x takes no time while the supports stay the
  /// same.
  [[nodiscard]] KernelRow row(const FeatureView& x) const {
    return in_room([&](const auto& s, auto& room) { return s.row(x, room); });
  }
  /// The kernel values of a support.
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

  /// The next instances whose rows will be asked for, in this order; they stay valid until the next call.
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
  /// Could the loaded state have been saved by this class?
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
