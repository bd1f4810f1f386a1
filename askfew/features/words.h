#pragma once

#include <string_view>
#include <vector>

#include "askfew/features/byte_classes.h"
#include "askfew/features/unicode.h"

namespace askfew {

/// The words of a text, one after another, and their memory. The words stay valid until the next text.
/// REQUIRES: never copied while it contains words.
struct Words {
  std::vector<std::string_view> list;
  bool are_utf8 = true;  ///< false: the text has bytes that are not UTF-8

  ByteClasses bytes;          // scratch, kept so that a text allocates nothing
  std::vector<char> unicode;  // words with characters beyond ASCII
};

/// Cuts a text into words: the longest runs of letters, marks and numbers, in lower case if wanted. Word
/// bytes in ASCII are found 64 at a time; only runs with other characters are read one by one.
class WordSplitter {
 public:
  explicit WordSplitter(bool fold) : fold_(fold), letters_(fold) {}

  void split(std::string_view text, Words& words) const;

 private:
  /// Splits a run of letters, digits and bytes beyond ASCII; returns where the next such run may be written.
  char* split_unicode(std::string_view run, char* out, Words& words) const;

  bool fold_;
  Letters letters_;
};

}  // namespace askfew
