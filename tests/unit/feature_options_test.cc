#include "askfew/features/feature_options.h"

#include <gtest/gtest.h>

#include "askfew/core/errors.h"
#include "askfew/features/stemmer.h"
#include "askfew/features/text_features.h"

namespace askfew {
namespace {

TEST(FeatureOptions, every_option_accepts_the_text_that_it_gives) {
  FeatureOptions other;
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{{"fold", "no"},
                                                                                   {"stop-words", "of the"},
                                                                                   {"stem", "german"},
                                                                                   {"ngrams", "1-3"},
                                                                                   {"char-ngrams", "4"},
                                                                                   {"tf", "once"},
                                                                                   {"bits", "20"},
                                                                                   {"dictionary", "yes"},
                                                                                   {"most-words", "1000"},
                                                                                   {"tf-idf", "yes"},
                                                                                   {"bias", "-0.1"},
                                                                                   {"normalize", "yes"}}) {
    set_feature_option(other, name, text);
  }
  EXPECT_EQ(other, (FeatureOptions{.text = {.fold = false,
                                            .stop_words = "of the",
                                            .stem = "german",
                                            .ngrams = {1, 3},
                                            .char_ngrams = {4, 4},
                                            .tf = TermWeight::once,
                                            .dictionary = true,
                                            .bits = 20,
                                            .max_words = 1000},
                                   .tf_idf = true,
                                   .bias = -0.1,
                                   .normalize = true}));
  const FeatureOptions usual;
  for (const FeatureOption& option : feature_option_table()) {
    EXPECT_NE(option.get(usual), option.get(other)) << option.name;
    for (const FeatureOptions& options : {usual, other}) {
      FeatureOptions set = &options == &usual ? other : usual;
      set_feature_option(set, option.name, option.get(options));
      EXPECT_EQ(option.get(set), option.get(options)) << option.name;
    }
  }
}

TEST(FeatureOptions, an_invalid_text_is_refused_and_changes_nothing) {
  for (const auto& [name, texts] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"fold", {"", "true", "1"}},
           {"stem", {"", "klingon", "English"}},
           {"ngrams", {"", "0", "9", "2-1", "1-9", "-2", "1-", "1-2-3", "a", "1 - 2"}},
           {"char-ngrams", {"0-3", "+1"}},
           {"tf", {"idf", ""}},
           {"bits", {"0", "28", "4294967314", "99999999999999999999", "1.5", ""}},
           {"most-words", {"0", "134217729"}},
           {"bias", {"", "x", "nan", "inf", "1e999", "1 "}},
           {"stop-words", {"\xff"}},
           {"colour", {"red"}}}) {
    for (const std::string& text : texts) {
      FeatureOptions options;
      EXPECT_THROW(set_feature_option(options, name, text), ConfigError) << name << " " << text;
      EXPECT_EQ(options, FeatureOptions{}) << name << " " << text;
    }
  }
}

TEST(FeatureOptions, the_message_about_an_unknown_stemmer_has_all_names) {
  try {
    FeatureOptions options;
    set_feature_option(options, "stem", "klingon");
    FAIL();
  } catch (const ConfigError& error) {
    for (const std::string_view name : Stemmer::names()) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  }
}

TEST(FeatureOptions, every_stemmer_stems) {
  for (const std::string_view name : Stemmer::names()) {
    Stemmer stem{std::string(name)};
    EXPECT_EQ(stem("x"), stem("x")) << name;
  }
}

}  // namespace
}  // namespace askfew
