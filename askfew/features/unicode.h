#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace askfew {

/// The characters beyond ASCII that words are made of: letters, marks and numbers (the Unicode categories
/// L, M and N), with Unicode's full case folding if wanted (one character may become three). A byte that is
/// not UTF-8 is a letter that stands for itself, so that texts in an older encoding still have words.
class Letters {
 public:
  /// How many times its own bytes a character may take when it is folded.
  static constexpr std::size_t max_growth = 3;

  /// What a character becomes.
  struct Step {
    std::size_t taken = 0;    ///< bytes of the text
    std::size_t written = 0;  ///< bytes of the word; 0: the character separates words
  };

  explicit Letters(bool fold);

  /// Writes what the first character of the text becomes. REQUIRES: the text is not empty and begins with no
  /// ASCII; there is room for 8 bytes, whatever is written.
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
  std::array<Entry, 0x800> two_bytes_;  // what most alphabets need, looked up once
};

}  // namespace askfew
