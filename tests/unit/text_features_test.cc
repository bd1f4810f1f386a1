#include "askfew/features/text_features.h"

#define XXH_INLINE_ALL
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <xxhash.h>

#include "askfew/core/errors.h"
#include "askfew/features/stop_words.h"

namespace askfew {
namespace {

using Values = std::map<std::string, double>;

/// The features of a text by name, from the table of words.
Values named(std::string_view text, TextOptions options = {}) {
  options.dictionary = true;
  const TextFeatures features(options);
  TextScratch scratch(features);
  Examples block;
  block.begin(1);
  features.add(text, block, scratch);
  features.finish(block, scratch);
  block.end_sparse();
  Values values;
  block.x(0).for_each([&](FeatureView::Index i, double v) { values[std::string(block.words()[i])] = v; });
  return values;
}

/// The features of a text by the number that hashing gives them.
std::map<FeatureView::Index, double> hashed(std::string_view text, TextOptions options = {}) {
  const TextFeatures features(options);
  TextScratch scratch(features);
  Examples block;
  block.begin(1);
  features.add(text, block, scratch);
  features.finish(block, scratch);
  block.end_sparse();
  std::map<FeatureView::Index, double> values;
  FeatureView::Index least = 0;
  block.x(0).for_each([&](FeatureView::Index i, double v) {
    EXPECT_GE(i, least);  // ascending, without repetition
    EXPECT_LT(i, features.dimension());
    least = i + 1;
    values[i] = v;
  });
  return values;
}

/// The names of the features only.
std::vector<std::string> names(std::string_view text, const TextOptions& options) {
  std::vector<std::string> all;
  for (const auto& [name, value] : named(text, options)) all.push_back(name);
  return all;
}
using Names = std::vector<std::string>;

TEST(TextFeatures, a_word_that_occurs_n_times_has_the_value_1_plus_ln_n) {
  EXPECT_EQ(named("a b A c, a"), (Values{{"a", 1 + std::log(3.0)}, {"b", 1}, {"c", 1}}));
  EXPECT_EQ(named("a b A c, a", {.tf = TermWeight::count}), (Values{{"a", 3}, {"b", 1}, {"c", 1}}));
  EXPECT_EQ(named("a b A c, a", {.tf = TermWeight::once}), (Values{{"a", 1}, {"b", 1}, {"c", 1}}));
  std::string many;
  for (int k = 0; k < 1000; ++k) many += "x ";
  EXPECT_EQ(named(many), (Values{{"x", 1 + std::log(1000.0)}}));
}

TEST(TextFeatures, case_matters_on_request) {
  EXPECT_EQ(names("The the", {.fold = false}), (Names{"The", "the"}));
}

TEST(TextFeatures, stop_words_are_left_out) {
  EXPECT_EQ(names("The cat of THE dog", {.stop_words = "of the"}), (Names{"cat", "dog"}));
  EXPECT_EQ(names("The cat", {.stop_words = "THE"}), (Names{"cat"}));  // case-folded like the text
  EXPECT_EQ(names("The the", {.fold = false, .stop_words = "the"}), (Names{"The"}));
  EXPECT_EQ(names("It isn't what they would've done", {.stop_words = std::string(english_stop_words())}),
            Names{});
}

TEST(TextFeatures, words_are_cut_to_their_stems) {
  EXPECT_EQ(named("Houses housing house", {.stem = "english"}), (Values{{"hous", 1 + std::log(3.0)}}));
  EXPECT_EQ(names("aufeinanderfolgenden Häuser", {.stem = "german"}), (Names{"aufeinanderfolg", "haus"}));
  EXPECT_EQ(names("вагоном вагоны", {.stem = "russian"}), (Names{"вагон"}));
}

TEST(TextFeatures, stop_words_are_compared_before_stemming) {
  EXPECT_EQ(names("doing things", {.stop_words = "doing", .stem = "english"}), (Names{"thing"}));
  EXPECT_EQ(names("thing things", {.stop_words = "things", .stem = "english"}), (Names{"thing"}));
}

TEST(TextFeatures, ngrams_are_runs_of_words) {
  EXPECT_EQ(names("a b c", {.ngrams = {1, 2}}), (Names{"a", "a b", "b", "b c", "c"}));
  EXPECT_EQ(names("a b c", {.ngrams = {3, 4}}), (Names{"a b c"}));
  EXPECT_EQ(names("new the york", {.stop_words = "the", .ngrams = {2, 2}}), (Names{"new york"}));
  EXPECT_EQ(names("a", {.ngrams = {2, 8}}), Names{});
}

TEST(TextFeatures, char_ngrams_are_runs_of_characters_of_a_padded_word) {
  EXPECT_EQ(names("cat", {.ngrams = {}, .char_ngrams = {3, 3}}), (Names{"~ ca", "~at ", "~cat"}));
  EXPECT_EQ(names("cat", {.ngrams = {}, .char_ngrams = {5, 8}}), (Names{"~ cat "}));
  EXPECT_EQ(names("Éß a", {.ngrams = {}, .char_ngrams = {2, 2}}),
            (Names{"~ a", "~ é", "~a ", "~s ", "~ss", "~és"}));
  EXPECT_EQ(names("東京", {.char_ngrams = {1, 1}}), (Names{"~ ", "~京", "~東", "東京"}));
  EXPECT_EQ(names("\xff\x80", {.ngrams = {}, .char_ngrams = {2, 2}}),
            (Names{"~ \xff", "~\x80 ", "~\xff\x80"}));
}

TEST(TextFeatures, char_ngrams_come_from_words_before_stemming_and_without_stop_words) {
  EXPECT_EQ(names("the cats", {.stop_words = "the", .stem = "english", .char_ngrams = {6, 6}}),
            (Names{"cat", "~ cats "}));
}

TEST(TextFeatures, a_word_of_more_than_255_bytes_gives_only_char_ngrams) {
  const std::string longest(255, 'x');
  const std::string longer(256, 'x');
  EXPECT_EQ(names("a " + longest, {}), (Names{"a", longest}));
  EXPECT_EQ(names("a " + longer + " b", {.ngrams = {1, 2}}), (Names{"a", "a b", "b"}));
  EXPECT_EQ(names(longer, {.char_ngrams = {4, 4}}), (Names{"~ xxx", "~xxx ", "~xxxx"}));
  EXPECT_EQ(hashed("a " + longer), hashed("a"));
}

TEST(TextFeatures, a_text_without_words_has_no_features) {
  for (const char* text : {"", " ", "-- ... !"}) {
    EXPECT_TRUE(named(text, {.ngrams = {1, 3}, .char_ngrams = {1, 8}}).empty());
    EXPECT_TRUE(hashed(text, {.ngrams = {1, 3}, .char_ngrams = {1, 8}}).empty());
  }
}

TEST(TextFeatures, the_index_of_a_word_is_the_lowest_bits_of_its_xxh3) {
  const std::uint64_t hash = XXH3_64bits("strategy", 8);
  EXPECT_EQ(hashed("Strategy", {.bits = 18}).begin()->first, hash % (1U << 18));
  EXPECT_EQ(hashed("Strategy", {.bits = 27}).begin()->first, hash % (1U << 27));
}

TEST(TextFeatures, hashing_and_the_table_give_the_same_values) {
  const std::string text = "Strategy games of the 1990s: real-time strategy, turn-based STRATEGY. Été, été.";
  for (const TextOptions& options :
       {TextOptions{.bits = 27}, TextOptions{.ngrams = {1, 3}, .bits = 27},
        TextOptions{.stem = "english", .ngrams = {2, 2}, .char_ngrams = {2, 5}, .bits = 27}}) {
    std::multiset<double> of_names;
    std::multiset<double> of_hashes;
    for (const auto& [name, value] : named(text, options)) of_names.insert(value);
    for (const auto& [index, value] : hashed(text, options)) of_hashes.insert(value);
    EXPECT_EQ(of_names, of_hashes);
  }
}

TEST(TextFeatures, words_with_the_same_hash_are_counted_together) {
  const auto values = hashed("one two three four five six", {.bits = 1});
  double total = 0;
  for (const auto& [index, value] : values) total += std::exp(value - 1);
  EXPECT_NEAR(total, 6, 1e-12);
}

TEST(TextFeatures, the_same_word_in_another_field_is_another_feature_and_is_counted_within_its_field) {
  for (const bool dictionary : {false, true}) {
    const TextFeatures features({.dictionary = dictionary});
    TextScratch scratch(features);
    Examples block;
    const TextField title("title");
    block.begin(1);
    features.add("game", block, scratch, title);
    features.add("game of", block, scratch);
    features.add("Game", block, scratch, title);
    features.finish(block, scratch);
    block.end_sparse();
    std::multiset<double> values;
    block.x(0).for_each([&](FeatureView::Index, double v) { values.insert(v); });
    EXPECT_EQ(values, (std::multiset<double>{1, 1, 1 + std::log(2.0)}));
    if (dictionary) {
      EXPECT_EQ(block.words()[0], "title:game");
    }
  }
}

TEST(TextFeatures, the_features_of_a_text_do_not_depend_on_earlier_texts) {
  const TextFeatures features({.stem = "english", .ngrams = {1, 2}, .char_ngrams = {3, 4}});
  TextScratch used(features);
  Examples block;
  for (const char* text : {"", "one", "the Quick brown fox, été", "\xff\xc3 x", "the Quick brown fox, été"}) {
    TextScratch fresh(features);
    for (TextScratch* scratch : {&used, &fresh}) {
      block.begin(1);
      features.add(text, block, *scratch);
      features.finish(block, *scratch);
      block.end_sparse();
    }
    const FeatureView a = block.x(block.size() - 2);
    const FeatureView b = block.x(block.size() - 1);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
      EXPECT_EQ(a.indices()[k], b.indices()[k]);
      EXPECT_EQ(a.values()[k], b.values()[k]);
    }
  }
}

TEST(TextFeatures, options_out_of_range_are_refused) {
  for (const unsigned bits : {0U, 28U, 64U}) EXPECT_THROW(TextFeatures({.bits = bits}), ConfigError);
  EXPECT_THROW(TextFeatures({.ngrams = {}}), ConfigError);
  EXPECT_THROW(TextFeatures({.stem = "klingon"}), ConfigError);
}

}  // namespace
}  // namespace askfew
