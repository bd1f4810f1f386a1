#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

namespace askfew {

/// Distinct words, numbered from 0 in the order in which they were added. A word is any sequence of bytes. A
/// table that is cleared and filled again stops allocating once it has reached its full size.
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
  /// Memory in use, in bytes.
  [[nodiscard]] std::size_t memory() const {
    return bytes_.capacity() + ends_.capacity() * sizeof(ends_[0]) + slots_.capacity() * sizeof(Slot);
  }
  /// An upper bound of the memory in use after so many more words with so many bytes in total are added.
  [[nodiscard]] std::size_t memory_with(std::size_t words, std::size_t bytes) const;
  void clear();
  /// Removes all words from this number on.
  void forget_from(Number number);

  static void state(auto& self, auto& visit) {
    visit("bytes", self.bytes_);
    visit("ends", self.ends_);
    if constexpr (!std::is_const_v<std::remove_reference_t<decltype(self)>>) self.loaded();
  }

 private:
  /// The number of slots for so many words.
  static std::size_t slots_for(std::size_t words);

  struct Slot {
    std::uint32_t tag = 0;  // bits of the word's hash: most other words have a different tag
    Number number = none;
  };

  /// The slot of the word, or the free slot where the word would be put.
  [[nodiscard]] std::size_t place(std::string_view word, std::uint64_t hash) const;
  /// Puts all words into new slots, with room for one more word.
  void rebuild();
  /// THROWS: ModelError if the loaded data is not a valid table.
  void loaded();

  std::vector<std::uint8_t> bytes_;  // the bytes of all words, one after another
  std::vector<std::uint64_t> ends_;  // end of each word in bytes_
  std::vector<Slot> slots_;          // a power of two slots, at most half in use
};

}  // namespace askfew
