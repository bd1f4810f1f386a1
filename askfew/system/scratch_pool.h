#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace askfew {

/// Scratch memory for const member functions. Each call borrows a room and returns it at the end, so that
/// many threads may call const members at the same time. A thread usually gets the room of its last call
/// again: after the first calls nothing is allocated. A pool keeps at most `slots` rooms.
///
/// Scratch memory is not part of an object's value: a copy of the object starts without rooms.
template <class Room>
class ScratchPool {
 public:
  /// A borrowed room; the destructor returns it. REQUIRES: the pool outlives the lease and is not moved
  /// meanwhile.
  class Lease {
   public:
    Lease(const ScratchPool& pool, std::unique_ptr<Room> room) : pool_(&pool), room_(std::move(room)) {}
    ~Lease() {
      if (room_ != nullptr) pool_->give_back(std::move(room_));
    }
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    [[nodiscard]] Room& operator*() const { return *room_; }
    [[nodiscard]] Room* operator->() const { return room_.get(); }

   private:
    const ScratchPool* pool_;
    std::unique_ptr<Room> room_;
  };

  ScratchPool() = default;
  ~ScratchPool() { clear(); }
  ScratchPool(const ScratchPool& /*other*/) {}
  ScratchPool& operator=(const ScratchPool& other) {
    if (this != &other) clear();
    return *this;
  }
  ScratchPool(ScratchPool&& other) noexcept { take(other); }
  ScratchPool& operator=(ScratchPool&& other) noexcept {
    if (this != &other) {
      clear();
      take(other);
    }
    return *this;
  }

  /// Safe from many threads.
  [[nodiscard]] Lease borrow() const {
    const std::size_t first = preferred_slot();
    for (std::size_t k = 0; k < slots; ++k) {
      std::atomic<Room*>& room = free_[(first + k) % slots].room;
      if (room.load(std::memory_order_relaxed) == nullptr) continue;
      if (Room* found = room.exchange(nullptr, std::memory_order_acquire); found != nullptr) {
        return Lease(*this, std::unique_ptr<Room>(found));
      }
    }
    return Lease(*this, std::make_unique<Room>());
  }

 private:
  static constexpr std::size_t slots = 8;
  struct alignas(64) Slot {  // one cache line per slot: threads that use different slots do not slow each
                             // other down
    std::atomic<Room*> room = nullptr;
  };

  /// The preferred slot of this thread, from the address of its stack: stacks are megabytes apart. Only the
  /// speed depends on the slot.
  static std::size_t preferred_slot() {
    constexpr int stack_bits = 16;
    constexpr std::uint64_t spread = 0x9e3779b97f4a7c15;
    constexpr int upper_bits = 32;
    const char here = 0;
    const auto stack = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&here)) >> stack_bits;
    return static_cast<std::size_t>(stack * spread >> upper_bits) % slots;
  }
  void give_back(std::unique_ptr<Room> room) const {
    const std::size_t first = preferred_slot();
    for (std::size_t k = 0; k < slots; ++k) {
      Room* none = nullptr;
      if (free_[(first + k) % slots].room.compare_exchange_strong(none, room.get(), std::memory_order_release,
                                                                  std::memory_order_relaxed)) {
        static_cast<void>(room.release());
        return;
      }
    }
  }
  void clear() {
    for (Slot& slot : free_) std::unique_ptr<Room>(slot.room.exchange(nullptr)).reset();
  }
  void take(ScratchPool& other) {
    for (std::size_t k = 0; k < slots; ++k) free_[k].room = other.free_[k].room.exchange(nullptr);
  }

  mutable std::array<Slot, slots> free_;
};

/// Numbers in a borrowed room, valid as long as this object exists.
template <class Room>
struct ScratchSpan {
  typename ScratchPool<Room>::Lease room;
  std::span<const double> values;

  [[nodiscard]] double operator[](std::size_t k) const { return values[k]; }
  [[nodiscard]] std::size_t size() const { return values.size(); }
  [[nodiscard]] auto begin() const { return values.begin(); }
  [[nodiscard]] auto end() const { return values.end(); }
};

}  // namespace askfew
