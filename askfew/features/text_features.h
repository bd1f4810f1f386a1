#pragma once

// Turns a text into features: words, n-grams and their hashes.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "askfew/core/examples.h"
#include "askfew/core/word_table.h"
#include "askfew/features/feature_options.h"
#include "askfew/features/radix_sort.h"
#include "askfew/features/stemmer.h"
#include "askfew/features/words.h"

namespace askfew {

class TextFeatures;

/// Scratch memory of a thread for making features; kept so that a text allocates nothing.
class TextScratch {
 public:
  explicit TextScratch(const TextFeatures& features);

  /// Was a text since the last call not UTF-8?
  [[nodiscard]] bool take_not_utf8() { return std::exchange(not_utf8_, false); }

 private:
  friend class TextFeatures;

  std::optional<Stemmer> stemmer_;
  Words words_;
  bool not_utf8_ = false;
  std::vector<std::string_view> kept_;  // words of the n-grams
  std::string stems_;
  std::vector<std::size_t> ends_;
  std::vector<std::uint64_t> hashes_;
  std::string padded_;                     // a word with a space before and after
  std::string key_;                        // key of a term in a dictionary
  std::vector<FeatureView::Index> terms_;  // terms of the example under construction, in any order
  RadixSorter<FeatureView::Index> sort_;
};

/// A part of an example whose words are separate features, such as a column of a table.
class TextField {
 public:
  TextField() = default;
  explicit TextField(std::string_view name);

 private:
  friend class TextFeatures;

  std::uint64_t seed_ = 0;
  std::string prefix_;
};

/// Turns text into sparse features, as far as this does not depend on the order of the examples. Many threads
/// may use one object, each with its own scratch.
///
/// A text is cut into words (WordSplitter), stop words are removed, and the other words are reduced to stems.
/// Features are runs of n stems, and runs of n characters of the words before stemming, with a space before
/// and after each word. A word of more than 255 bytes is not natural language: it gives only character
/// features.
///
/// A feature is numbered by its hash (XXH3, the lowest bits), or by its number in the block's table of words,
/// which a FeatureState turns into a dictionary number. A feature that occurs n times in an example has the
/// value
/// 1 + ln n, n or 1.
class TextFeatures {
 public:
  using Index = FeatureView::Index;
  static constexpr std::size_t longest_word = 255;

  /// THROWS: ConfigError if an option is out of range, or there would be no feature.
  explicit TextFeatures(const TextOptions& options);

  /// The number of features; 0 if it is not fixed (a dictionary without a limit).
  [[nodiscard]] Index dimension() const {
    if (!options_.dictionary) return mask_ + 1;
    return options_.is_limited() ? static_cast<Index>(options_.max_words) : 0;
  }
  [[nodiscard]] const TextOptions& options() const { return options_; }
  /// How many bytes of memory one of a text may take at most while it becomes an example.
  [[nodiscard]] std::size_t memory_per_byte() const;

  /// Adds a text to the example under construction. Several texts may be added.
  void add(std::string_view text, Examples& block, TextScratch& scratch, const TextField& field = {}) const;
  /// The feature number of a single word; nothing for a stop word, for example. REQUIRES: no dictionary; the
  /// word comes from a WordSplitter.
  std::optional<Index> number_of(std::string_view word, TextScratch& scratch, const TextField& field) const;
  /// The number of a feature that has its own name and is not a word.
  Index named(std::string_view name, Examples& block, TextScratch& scratch) const;
  /// Adds the features of all texts since the last call to the example under construction.
  void finish(Examples& block, TextScratch& scratch) const;

 private:
  void drop_stop_words(TextScratch& scratch) const;
  void keep_words(TextScratch& scratch) const;
  void hash_ngrams(TextScratch& scratch, const TextField& field) const;
  void name_ngrams(Examples& block, TextScratch& scratch, const TextField& field) const;
  void add_char_ngrams(Examples& block, TextScratch& scratch, const TextField& field) const;
  [[nodiscard]] double value_of(std::size_t count) const;

  TextOptions options_;
  Index mask_;
  WordSplitter splitter_;
  WordTable stop_words_;
  std::vector<double> values_;  // for small counts
};

}  // namespace askfew
