#pragma once

#include <cstdint>
#include <string_view>

namespace askfew::fuzz {

/// Makes choices from the bytes of an input; after the end of the input, from zeros.
class Feed {
 public:
  explicit Feed(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const char first = bytes_.front();
    bytes_.remove_prefix(1);
    return static_cast<std::uint8_t>(first);
  }
  /// REQUIRES: 0 < n <= 256.
  std::size_t below(std::size_t n) { return byte() % n; }
  [[nodiscard]] std::string_view rest() const { return bytes_; }

 private:
  std::string_view bytes_;
};

}  // namespace askfew::fuzz
