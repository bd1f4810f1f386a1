#pragma once

// Numbers to and from the bytes of a cache.

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

// Numbers as bytes, possibly unaligned.

namespace askfew {

static_assert(std::endian::native == std::endian::little, "caches are little-endian");

/// The k-th of consecutive numbers.
template <class T>
T number_at(const char* bytes, std::size_t k = 0) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, bytes + k * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void append_number(std::string& bytes, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

}  // namespace askfew
