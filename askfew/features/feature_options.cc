#include "askfew/features/feature_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "askfew/config/params.h"
#include "askfew/config/text.h"
#include "askfew/core/errors.h"
#include "askfew/features/stemmer.h"

namespace askfew {
namespace {

constexpr std::array<std::string_view, 3> term_weights{"log", "count", "once"};

std::string yes_or_no(bool value) {
  return value ? "yes" : "no";
}
bool set_flag(bool& flag, std::string_view text) {
  if (text != "yes" && text != "no") return false;
  flag = text == "yes";
  return true;
}

/// A whole number from low to high.
template <class T>
bool set_count(T& count, std::string_view text, std::uint64_t low, std::uint64_t high) {
  std::uint64_t value = 0;
  const auto [past, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || past != text.data() + text.size() || value < low || value > high) return false;
  count = static_cast<T>(value);
  return true;
}

std::string text_of(const NgramRange& range) {
  if (range.empty()) return "none";
  if (range.shortest == range.longest) return fmt::format("{}", range.shortest);
  return fmt::format("{}-{}", range.shortest, range.longest);
}
bool set_ngrams(NgramRange& range, std::string_view text) {
  NgramRange read;
  if (text != "none") {
    const std::size_t dash = text.find('-');
    const std::string_view longest = dash == std::string_view::npos ? text : text.substr(dash + 1);
    if (!set_count(read.shortest, text.substr(0, dash), 1, NgramRange::most)) return false;
    if (!set_count(read.longest, longest, read.shortest, NgramRange::most)) return false;
  }
  range = read;
  return true;
}

bool set_stem(std::string& stem, std::string_view text) {
  const std::vector<std::string_view> names = Stemmer::names();
  if (text != "none" && std::find(names.begin(), names.end(), text) == names.end()) return false;
  stem = text;
  return true;
}

bool set_weight(TermWeight& weight, std::string_view text) {
  const auto named = std::find(term_weights.begin(), term_weights.end(), text);
  if (named == term_weights.end()) return false;
  weight = static_cast<TermWeight>(named - term_weights.begin());
  return true;
}

bool set_number(double& number, std::string_view text) {
  const std::optional<double> value = Range{}.parse(text);
  if (!value || !std::isfinite(*value)) return false;
  number = *value;
  return true;
}

using Options = FeatureOptions;

constexpr std::array table{
    FeatureOption{.name = "fold",
                  .flag = true,
                  .accepted = "yes or no",
                  .help = "fold the case of words: \"The\" is \"the\"",
                  .get = [](const Options& o) { return yes_or_no(o.text.fold); },
                  .set = [](Options& o, std::string_view text) { return set_flag(o.text.fold, text); }},
    FeatureOption{.name = "stop-words",
                  .accepted = "none, english or a file with the words",
                  .help = "words that are left out",
                  .get = [](const Options& o) { return o.text.stop_words; },
                  .set =
                      [](Options& o, std::string_view text) {
                        if (!is_utf8(text)) return false;
                        o.text.stop_words = text;
                        return true;
                      }},
    FeatureOption{.name = "stem",
                  .accepted = "none or the name of a Snowball stemmer, e.g. english",
                  .help = "reduce words to their stems",
                  .get = [](const Options& o) { return o.text.stem; },
                  .set = [](Options& o, std::string_view text) { return set_stem(o.text.stem, text); }},
    FeatureOption{.name = "ngrams",
                  .accepted = "none, N or N-M, 1 to 8",
                  .help = "sequences of N to M words are features",
                  .get = [](const Options& o) { return text_of(o.text.ngrams); },
                  .set = [](Options& o, std::string_view text) { return set_ngrams(o.text.ngrams, text); }},
    FeatureOption{
        .name = "char-ngrams",
        .accepted = "none, N or N-M, 1 to 8",
        .help = "sequences of N to M characters of a word are features, too",
        .get = [](const Options& o) { return text_of(o.text.char_ngrams); },
        .set = [](Options& o, std::string_view text) { return set_ngrams(o.text.char_ngrams, text); }},
    FeatureOption{
        .name = "tf",
        .accepted = "log, count or once",
        .help = "value of a feature that occurs n times in a text: 1 + ln n, n, or 1",
        .get =
            [](const Options& o) { return std::string(term_weights[static_cast<std::size_t>(o.text.tf)]); },
        .set = [](Options& o, std::string_view text) { return set_weight(o.text.tf, text); }},
    FeatureOption{
        .name = "bits",
        .accepted = "1 to 27",
        .help = "text is hashed to 2^bits features",
        .get = [](const Options& o) { return fmt::format("{}", o.text.bits); },
        .set = [](Options& o,
                  std::string_view text) { return set_count(o.text.bits, text, 1, TextOptions::max_bits); }},
    FeatureOption{.name = "dictionary",
                  .flag = true,
                  .accepted = "yes or no",
                  .help = "number words in the order of their first appearance instead of hashing them",
                  .get = [](const Options& o) { return yes_or_no(o.text.dictionary); },
                  .set = [](Options& o, std::string_view text) { return set_flag(o.text.dictionary, text); }},
    FeatureOption{.name = "most-words",
                  .accepted = "1 to 134217728",
                  .help = "largest number of words in the dictionary; later words are left out",
                  .get = [](const Options& o) { return fmt::format("{}", o.text.max_words); },
                  .set =
                      [](Options& o, std::string_view text) {
                        return set_count(o.text.max_words, text, 1, TextOptions::max_features);
                      }},
    FeatureOption{.name = "tf-idf",
                  .flag = true,
                  .accepted = "yes or no",
                  .help = "give more weight to features that have been rare so far",
                  .get = [](const Options& o) { return yes_or_no(o.tf_idf); },
                  .set = [](Options& o, std::string_view text) { return set_flag(o.tf_idf, text); }},
    FeatureOption{.name = "bias",
                  .accepted = "a number; 0 for none",
                  .help = "value of a constant feature in every instance",
                  .get = [](const Options& o) { return fmt::format("{}", o.bias); },
                  .set = [](Options& o, std::string_view text) { return set_number(o.bias, text); }},
    FeatureOption{.name = "normalize",
                  .flag = true,
                  .accepted = "yes or no",
                  .help = "scale every instance to norm 1",
                  .get = [](const Options& o) { return yes_or_no(o.normalize); },
                  .set = [](Options& o, std::string_view text) { return set_flag(o.normalize, text); }},
};

}  // namespace

std::span<const FeatureOption> feature_option_table() {
  return table;
}

std::string refusal(const FeatureOption& option, std::string_view text) {
  FeatureOptions unused;
  if (option.set(unused, text)) return "";
  std::string accepted(option.accepted);
  if (option.name == "stem") accepted = fmt::format("none, {}", fmt::join(Stemmer::names(), ", "));
  return fmt::format("{} is not accepted: {}", in_quotes(text), accepted);
}

void set_feature_option(FeatureOptions& options, std::string_view name, std::string_view text) {
  const auto option =
      std::find_if(table.begin(), table.end(), [&](const FeatureOption& o) { return o.name == name; });
  if (option == table.end()) throw ConfigError(fmt::format("no feature option {}", in_quotes(name)));
  if (!option->set(options, text)) throw ConfigError(fmt::format("{}: {}", name, refusal(*option, text)));
}

}  // namespace askfew
