#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

namespace askfew {

/// Distinct words, numbered from 0 in the order in which they were added. A word is any bytes. Cleared and
/// filled again, it allocates nothing once it has grown to its size.
class WordTable {
 public:
  using Number = std::uint32_t;
  static constexpr Number none = ~Number{0};

  /// The number of a word, which is added if it is new. REQUIRES: fewer than 2^32 - 1 words.
  Number add(std::string_view word);
  /// The number of a word, or `none`.
  [[nodiscard]] Number find(std::string_view word) const;

  [[nodiscard]] std::string_view operator[](Number number) const {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return {reinterpret_cast<const char*>(bytes_.data()) + begin, ends_[number] - begin};
  }
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  /// What it takes in memory.
  [[nodiscard]] std::size_t memory() const {
    return bytes_.capacity() + ends_.capacity() * sizeof(ends_[0]) + slots_.capacity() * sizeof(Slot);
  }
  /// What it takes at most once so many more words of so many bytes together are added.
  [[nodiscard]] std::size_t memory_with(std::size_t words, std::size_t bytes) const;
  void clear();
  /// Takes back the words from this number on.
  void forget_from(Number number);

  static void state(auto& self, auto& visit) {
    visit("bytes", self.bytes_);
    visit("ends", self.ends_);
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(self)>>) self.loaded();
  }

 private:
  /// How many slots there are for so many words.
  static std::size_t slots_for(std::size_t words);

  struct Slot {
    std::uint32_t tag = 0;  // bits of the word's hash: most other words differ in them
    Number number = none;
  };

  /// Where the word is, or would be.
  [[nodiscard]] std::size_t place(std::string_view word, std::uint64_t hash) const;
  /// Puts all words into fresh slots, so many that one more fits.
  void rebuild();
  /// THROWS: ModelError if what was loaded is no table.
  void loaded();

  std::vector<std::uint8_t> bytes_;  // of all words, one after another
  std::vector<std::uint64_t> ends_;  // of each
  std::vector<Slot> slots_;          // a power of two of them, at most half in use
};

}  // namespace askfew
