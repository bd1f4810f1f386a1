#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace askfew {

/// The characters beyond ASCII that words are made of: letters, marks and numbers (the Unicode categories
/// L, M and N), with Unicode's full case folding if wanted (one character may become three). A byte that is
/// not UTF-8 counts as a letter and stays unchanged, so that texts in an older encoding still have words.
class Letters {
 public:
  /// How many times larger a character may become when it is folded.
  static constexpr std::size_t max_growth = 3;

  /// The result for one character.
  struct Step {
    std::size_t taken = 0;    ///< bytes read from the text; 1: the byte is not UTF-8
    std::size_t written = 0;  ///< bytes written to the word; 0: the character separates words
  };

  explicit Letters(bool fold);

  /// Writes the folded first character of the text. REQUIRES: the text is not empty and does not begin with
  /// ASCII; `out` has room for 8 bytes, however many are written.
  Step take(std::string_view text, char* out) const;

  /// The bytes of the first character; 1 for a byte that is not UTF-8. REQUIRES: the text is not empty.
  static std::size_t size_of_first(std::string_view text);

 private:
  struct Entry {
    unsigned char size = 0;
    std::array<char, 7> bytes{};
  };

  [[nodiscard]] Entry entry_of(int character) const;

  bool fold_;
  std::array<Entry, 0x800> two_bytes_;  // covers most alphabets; computed once
};

}  // namespace askfew
