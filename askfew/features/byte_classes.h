#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace askfew {

/// The classes of a text's bytes, one bit per byte, and the text with ASCII capitals in lower case if wanted.
/// This is the first step for every text and handles many bytes at once. An object that is filled again stops
/// allocating once it has reached its full size.
struct ByteClasses {
  static constexpr std::size_t block = 64;

  std::vector<std::uint64_t> in_words;  ///< ASCII letters and digits: bit k of [b] is byte 64 b + k
  std::vector<std::uint64_t> high;      ///< bytes beyond ASCII
  bool any_high = false;
  std::vector<char> folded;  ///< as long as the text or longer

  void fill(std::string_view text, bool fold);
  [[nodiscard]] std::size_t blocks() const { return blocks_; }
  /// Is a byte of [begin, end) beyond ASCII? REQUIRES: begin < end.
  [[nodiscard]] bool has_high(std::size_t begin, std::size_t end) const;

 private:
  std::size_t blocks_ = 0;
};

}  // namespace askfew
