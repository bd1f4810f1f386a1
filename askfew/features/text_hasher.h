#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "askfew/core/examples.h"

namespace askfew {

/// Text to sparse features: words (runs of letters, digits and non-ASCII bytes, lower case) hashed to 2^bits
/// features; a word that occurs n times has the value 1 + ln n.
class TextHasher {
 public:
  using Index = FeatureView::Index;

  struct Options {
    unsigned bits = 18;  ///< 1 to 27
  };

  /// THROWS: ConfigError if bits is out of range.
  explicit TextHasher(const Options& options);

  [[nodiscard]] Index dimension() const { return mask_ + 1; }
  /// Adds the features of a text to the example that is being built.
  void add(std::string_view text, Examples& block);

 private:
  Index mask_;
  std::string word_;            // scratch, kept so that a round allocates nothing
  std::vector<Index> indices_;  // scratch
};

}  // namespace askfew
