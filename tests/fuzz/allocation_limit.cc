// A small input must not make the program allocate gigabytes: an allocation beyond the limit is a finding.
// libFuzzer has its own limit (-malloc_limit_mb); here the global operators count.

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <malloc.h>
#include <new>

#include "tests/fuzz/harness.h"

namespace {

constexpr std::size_t max_bytes = std::size_t{1} << 28;
std::atomic<std::size_t> bytes_held = 0;

}  // namespace

void* operator new(std::size_t size, std::align_val_t alignment) {
  FUZZ_CHECK(size <= max_bytes);
  const auto line = static_cast<std::size_t>(alignment);
  void* memory = std::aligned_alloc(line, (size / line + 1) * line);
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t usable = malloc_usable_size(memory);
  FUZZ_CHECK(bytes_held.fetch_add(usable) + usable <= max_bytes);
  return memory;
}

void* operator new(std::size_t size) {
  return operator new(size, std::align_val_t{alignof(std::max_align_t)});
}

// Libraries also use this operator, and free with the operator below.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return operator new(size);
}

void operator delete(void* memory) noexcept {
  if (memory == nullptr) return;
  bytes_held.fetch_sub(malloc_usable_size(memory));
  std::free(memory);
}

void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  operator delete(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept {
  operator delete(memory);
}
