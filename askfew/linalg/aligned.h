#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace askfew {

/// Memory that begins at a cache line: loading a wide register across two cache lines is slower.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{128};

  AlignedAllocator() = default;
  template <class U>
  explicit AlignedAllocator(const AlignedAllocator<U>& /*other*/) {}

  [[nodiscard]] T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new(n * sizeof(T), alignment));
  }
  void deallocate(T* memory, std::size_t /*n*/) noexcept { ::operator delete(memory, alignment); }
  bool operator==(const AlignedAllocator& /*other*/) const { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace askfew
