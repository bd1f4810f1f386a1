#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "askfew/system/huge_pages.h"

namespace askfew {

/// Memory that begins at a cache line: loading a wide register across two cache lines is slower. Much memory
/// begins at a huge page and is in huge pages, if the system has them: then the processor looks up fewer
/// addresses of pages.
template <class T>
struct AlignedAllocator {
  using value_type = T;

  AlignedAllocator() = default;
  template <class U>
  explicit AlignedAllocator(const AlignedAllocator<U>& /*other*/) {}

  [[nodiscard]] T* allocate(std::size_t n) {
    void* const memory = ::operator new(n * sizeof(T), alignment(n));
    if (is_much(n)) prefer_huge_pages(memory, n * sizeof(T));
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t n) noexcept { ::operator delete(memory, alignment(n)); }
  bool operator==(const AlignedAllocator& /*other*/) const { return true; }

 private:
  static constexpr std::size_t two_cache_lines = 128;

  static bool is_much(std::size_t n) { return n * sizeof(T) >= 2 * huge_page_bytes; }
  static std::align_val_t alignment(std::size_t n) {
    return std::align_val_t{is_much(n) ? huge_page_bytes : two_cache_lines};
  }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace askfew
