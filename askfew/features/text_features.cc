#include "askfew/features/text_features.h"

#define XXH_INLINE_ALL
#include <algorithm>
#include <bit>
#include <fmt/core.h>
#include <xxhash.h>

#include "askfew/core/errors.h"
#include "askfew/math/elementary.h"

namespace askfew {
namespace {

/// Makes the characters "ing" of a word a different feature from the word "ing". In a dictionary, no word
/// begins with this mark.
constexpr char char_mark = '~';
constexpr std::uint64_t char_seed = 0x9e3779b97f4a7c15;
/// The same for features with their own names.
constexpr char name_mark = '=';
constexpr std::uint64_t name_seed = 0xc2b2ae3d27d4eb4f;
constexpr std::size_t small_counts = 256;

std::uint64_t hash_of(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace

TextScratch::TextScratch(const TextFeatures& features) {
  if (features.options().stem != "none") stemmer_.emplace(features.options().stem);
}

TextField::TextField(std::string_view name) : seed_(hash_of(name, 0)), prefix_(name) {
  prefix_ += ':';
}

TextFeatures::TextFeatures(const TextOptions& options)
    : options_(options), mask_((Index{1} << (options.bits % 32)) - 1), splitter_(options.fold) {
  if (options.bits < 1 || options.bits > TextOptions::max_bits) {
    throw ConfigError(
        fmt::format("bits = {} is out of range, accepted: 1 to {}", options.bits, TextOptions::max_bits));
  }
  if (options.ngrams.empty() && options.char_ngrams.empty()) {
    throw ConfigError("a text would have no features: give ngrams, char-ngrams or both");
  }
  const TextScratch knows_the_stemmer(*this);
  Words words;
  splitter_.split(options.stop_words, words);
  for (const std::string_view word : words.list) stop_words_.add(word);
  for (std::size_t n = 0; n < small_counts; ++n) values_.push_back(value_of(std::max<std::size_t>(n, 1)));
}

std::size_t TextFeatures::memory_per_byte() const {
  // Every second byte may be a word, and every byte may begin a run of characters; a feature takes the more
  // room the fewer are alike. Measured with texts that were made for it.
  const auto sizes = [](const NgramRange& range) -> std::size_t {
    return range.empty() ? 0 : range.longest - range.shortest + 1;
  };
  return 32 + 16 * sizes(options_.ngrams) + 32 * sizes(options_.char_ngrams) + (options_.dictionary ? 16 : 0);
}

void TextFeatures::add(std::string_view text, Examples& block, TextScratch& scratch,
                       const TextField& field) const {
  splitter_.split(text, scratch.words_);
  if (!scratch.words_.are_utf8) scratch.not_utf8_ = true;
  if (stop_words_.size() > 0) drop_stop_words(scratch);
  if (!options_.ngrams.empty()) {
    keep_words(scratch);
    if (options_.dictionary) {
      name_ngrams(block, scratch, field);
    } else {
      hash_ngrams(scratch, field);
    }
  }
  if (!options_.char_ngrams.empty()) add_char_ngrams(block, scratch, field);
}

void TextFeatures::drop_stop_words(TextScratch& scratch) const {
  std::erase_if(scratch.words_.list,
                [&](std::string_view word) { return stop_words_.find(word) != WordTable::none; });
}

void TextFeatures::keep_words(TextScratch& scratch) const {
  scratch.kept_.clear();
  for (const std::string_view word : scratch.words_.list) {
    if (word.size() <= longest_word) scratch.kept_.push_back(word);
  }
  if (!scratch.stemmer_) return;
  scratch.stems_.clear();
  scratch.ends_.clear();
  for (const std::string_view word : scratch.kept_) {
    scratch.stems_ += (*scratch.stemmer_)(word);
    scratch.ends_.push_back(scratch.stems_.size());
  }
  std::size_t begin = 0;
  for (std::size_t k = 0; k < scratch.kept_.size(); ++k) {
    scratch.kept_[k] = std::string_view(scratch.stems_).substr(begin, scratch.ends_[k] - begin);
    begin = scratch.ends_[k];
  }
}

void TextFeatures::hash_ngrams(TextScratch& scratch, const TextField& field) const {
  scratch.hashes_.clear();
  for (const std::string_view word : scratch.kept_) scratch.hashes_.push_back(hash_of(word, field.seed_));
  const std::vector<std::uint64_t>& hashes = scratch.hashes_;
  for (std::size_t n = options_.ngrams.shortest; n <= options_.ngrams.longest; ++n) {
    for (std::size_t k = 0; k + n <= hashes.size(); ++k) {
      const std::uint64_t hash =
          n == 1 ? hashes[k] : XXH3_64bits_withSeed(&hashes[k], n * sizeof hashes[k], field.seed_);
      scratch.terms_.push_back(static_cast<Index>(hash) & mask_);
    }
  }
}

void TextFeatures::name_ngrams(Examples& block, TextScratch& scratch, const TextField& field) const {
  const std::vector<std::string_view>& words = scratch.kept_;
  for (std::size_t n = options_.ngrams.shortest; n <= options_.ngrams.longest; ++n) {
    for (std::size_t k = 0; k + n <= words.size(); ++k) {
      std::string_view name = words[k];
      if (n > 1 || !field.prefix_.empty()) {
        (scratch.key_ = field.prefix_) += name;
        for (std::size_t j = 1; j < n; ++j) (scratch.key_ += ' ') += words[k + j];
        name = scratch.key_;
      }
      scratch.terms_.push_back(block.words().add(name));
    }
  }
}

void TextFeatures::add_char_ngrams(Examples& block, TextScratch& scratch, const TextField& field) const {
  for (const std::string_view word : scratch.words_.list) {
    ((scratch.padded_ = ' ') += word) += ' ';
    const std::string_view padded = scratch.padded_;
    scratch.ends_.assign(1, 0);
    while (scratch.ends_.back() < padded.size()) {
      const std::size_t end = scratch.ends_.back();
      scratch.ends_.push_back(end + Letters::size_of_first(padded.substr(end)));
    }
    const std::vector<std::size_t>& at = scratch.ends_;
    for (std::size_t n = options_.char_ngrams.shortest; n <= options_.char_ngrams.longest; ++n) {
      for (std::size_t k = 0; k + n < at.size(); ++k) {
        const std::string_view gram = padded.substr(at[k], at[k + n] - at[k]);
        if (options_.dictionary) {
          ((scratch.key_ = field.prefix_) += char_mark) += gram;
          scratch.terms_.push_back(block.words().add(scratch.key_));
        } else {
          scratch.terms_.push_back(static_cast<Index>(hash_of(gram, field.seed_ ^ char_seed)) & mask_);
        }
      }
    }
  }
}

std::optional<TextFeatures::Index> TextFeatures::number_of(std::string_view word, TextScratch& scratch,
                                                           const TextField& field) const {
  if (!options_.ngrams.contains(1) || word.size() > longest_word) return std::nullopt;
  if (stop_words_.size() > 0 && stop_words_.find(word) != WordTable::none) return std::nullopt;
  const std::string_view stem = scratch.stemmer_ ? (*scratch.stemmer_)(word) : word;
  return static_cast<Index>(hash_of(stem, field.seed_)) & mask_;
}

TextFeatures::Index TextFeatures::named(std::string_view name, Examples& block, TextScratch& scratch) const {
  if (!options_.dictionary) return static_cast<Index>(hash_of(name, name_seed)) & mask_;
  (scratch.key_ = name_mark) += name;
  return block.words().add(scratch.key_);
}

void TextFeatures::finish(Examples& block, TextScratch& scratch) const {
  std::vector<Index>& terms = scratch.terms_;
  const std::size_t features = options_.dictionary ? block.words().size() : std::size_t{mask_} + 1;
  scratch.sort_(terms, 0, static_cast<unsigned>(std::bit_width(features - 1)));
  for (std::size_t from = 0; from < terms.size();) {
    std::size_t past = from + 1;
    while (past < terms.size() && terms[past] == terms[from]) ++past;
    const std::size_t count = past - from;
    block.add_feature(terms[from], count < small_counts ? values_[count] : value_of(count));
    from = past;
  }
  terms.clear();
}

double TextFeatures::value_of(std::size_t count) const {
  const auto n = static_cast<double>(count);
  switch (options_.tf) {
    case TermWeight::log:
      return 1 + math::log(n);
    case TermWeight::count:
      return n;
    case TermWeight::once:
      break;
  }
  return 1;
}

}  // namespace askfew
