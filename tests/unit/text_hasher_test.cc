#include "askfew/features/text_hasher.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

std::map<FeatureView::Index, double> features_of(std::string_view text, unsigned bits = 20) {
  TextHasher hasher({.bits = bits});
  Examples block;
  block.begin(1);
  hasher.add(text, block);
  block.end_sparse();
  std::map<FeatureView::Index, double> features;
  block.x(0).for_each([&](FeatureView::Index i, double v) { features[i] = v; });
  return features;
}

TEST(TextHasher, words_are_what_counts_not_case_or_punctuation) {
  EXPECT_EQ(features_of("Real-time strategy, game!"), features_of("GAME strategy time... real"));
  EXPECT_NE(features_of("strategy game"), features_of("strategy games"));
}

TEST(TextHasher, a_word_that_occurs_n_times_weighs_one_plus_log_n) {
  const auto features = features_of("a b a c a");
  ASSERT_EQ(features.size(), 3);
  double largest = 0;
  for (const auto& [index, value] : features) largest = std::max(largest, value);
  EXPECT_DOUBLE_EQ(largest, 1 + std::log(3.0));
}

TEST(TextHasher, features_stay_below_the_dimension) {
  for (const auto& [index, value] : features_of("the quick brown fox jumps over the lazy dog", 3)) {
    EXPECT_LT(index, 8);
  }
}

TEST(TextHasher, no_words_no_features) {
  EXPECT_TRUE(features_of(" -- ... ").empty());
}

TEST(TextHasher, bits_out_of_range_are_refused) {
  EXPECT_THROW(TextHasher({.bits = 0}), ConfigError);
  EXPECT_THROW(TextHasher({.bits = 28}), ConfigError);
  EXPECT_THROW(TextHasher({.bits = 64}), ConfigError);
}

}  // namespace
}  // namespace askfew
