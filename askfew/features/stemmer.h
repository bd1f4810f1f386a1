#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/core/word_table.h"

struct sb_stemmer;

namespace askfew {

/// Words to their stems by a Snowball algorithm (libstemmer): "houses" and "housing" are both "hous". It
/// remembers the stems of the last words, most of which come again. One a thread.
class Stemmer {
 public:
  /// The algorithms: english, german and so on.
  static std::vector<std::string_view> names();

  /// THROWS: ConfigError with all names, for an unknown one.
  explicit Stemmer(const std::string& name);

  /// Valid until the next call. REQUIRES: fewer than 2^31 bytes.
  std::string_view operator()(std::string_view word);

 private:
  struct Delete {
    void operator()(sb_stemmer* stemmer) const;
  };

  std::string_view compute(std::string_view word);

  std::unique_ptr<sb_stemmer, Delete> stemmer_;
  WordTable words_;                // that were stemmed
  std::string stems_;              // theirs, one after another
  std::vector<std::size_t> ends_;  // of each
};

}  // namespace askfew
