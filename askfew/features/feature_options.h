#pragma once

// The options of text features, and their texts on the command line.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace askfew {

/// Lengths of n-grams, from the shortest to the longest; 0 to 0: no n-grams.
struct NgramRange {
  static constexpr unsigned most = 8;

  unsigned shortest = 0;
  unsigned longest = 0;

  [[nodiscard]] bool empty() const { return longest == 0; }
  [[nodiscard]] bool contains(unsigned n) const { return n >= shortest && n <= longest; }
  bool operator==(const NgramRange&) const = default;
};

/// The value of a feature that occurs n times in a text.
enum class TermWeight : std::uint8_t {
  log,    ///< 1 + ln n
  count,  ///< n
  once    ///< 1
};

/// How a text is turned into features.
struct TextOptions {
  static constexpr unsigned max_bits = 27;
  static constexpr std::uint64_t max_features = std::uint64_t{1} << max_bits;

  bool fold = true;
  std::string stop_words;     ///< the words themselves, separated by spaces
  std::string stem = "none";  ///< or the name of a Snowball algorithm
  NgramRange ngrams{1, 1};    ///< n-grams of words
  NgramRange char_ngrams{};   ///< n-grams of the characters of a word
  TermWeight tf = TermWeight::log;
  bool dictionary = false;                 ///< a growing dictionary instead of hashing
  unsigned bits = 18;                      ///< bits of a hash
  std::uint64_t max_words = max_features;  ///< most words in the dictionary

  [[nodiscard]] bool is_limited() const { return max_words < max_features; }
  bool operator==(const TextOptions&) const = default;
};

/// How instances of any format are turned into a learner's features. Stored in a model.
struct FeatureOptions {
  TextOptions text;
  bool tf_idf = false;
  double bias = 0;  ///< value of a constant feature before all others; 0: no constant
  bool normalize = false;

  /// Do features depend on earlier instances? Then a model has a FeatureState.
  [[nodiscard]] bool need_state() const { return text.dictionary || tf_idf; }
  bool operator==(const FeatureOptions&) const = default;
};

/// One row of the table behind the command line, the model's JSON and the documentation. Every value is a
/// text; the value of a flag is yes or no.
struct FeatureOption {
  std::string_view name;  ///< the flag name on the command line, without the two dashes
  bool flag = false;
  std::string_view accepted;
  std::string_view help;
  std::string (*get)(const FeatureOptions&) = nullptr;
  bool (*set)(FeatureOptions&, std::string_view) = nullptr;  ///< false if the text is not accepted
};

std::span<const FeatureOption> feature_option_table();

/// Why the text is refused and what would be accepted; empty if the text is accepted.
std::string refusal(const FeatureOption& option, std::string_view text);

/// THROWS: ConfigError with the name, the text and what would be accepted.
void set_feature_option(FeatureOptions& options, std::string_view name, std::string_view text);

}  // namespace askfew
