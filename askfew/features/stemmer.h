#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/core/word_table.h"

struct sb_stemmer;

namespace askfew {

/// Reduces words to their stems with a Snowball algorithm (libstemmer): "houses" and "housing" both become
/// "hous". The object remembers the stems of recent words, because most words come again. Each thread needs
/// its own stemmer.
class Stemmer {
 public:
  /// The algorithms: english, german and so on.
  static std::vector<std::string_view> names();

  /// THROWS: ConfigError with all names, for an unknown name.
  explicit Stemmer(const std::string& name);

  /// Valid until the next call. REQUIRES: fewer than 2^31 bytes.
  std::string_view operator()(std::string_view word);

 private:
  struct Delete {
    void operator()(sb_stemmer* stemmer) const;
  };

  std::string_view compute(std::string_view word);

  std::unique_ptr<sb_stemmer, Delete> stemmer_;
  WordTable words_;                // the words that were stemmed
  std::string stems_;              // their stems, one after another
  std::vector<std::size_t> ends_;  // end of each stem
};

}  // namespace askfew
