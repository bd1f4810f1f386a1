// Where predictions are cut for an aim that is not accuracy.

#include "askfew/protocol/aim.h"

#include <gtest/gtest.h>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

TEST(Aim, is_accuracy_f1_or_a_share_of_recall_or_precision) {
  for (const char* text : {"accuracy", "f1", "recall=0.9", "precision=0.75"}) {
    EXPECT_EQ(text_of(parse_aim(text)), text);
  }
  for (const char* text :
       {"", "F1", "recall", "recall=", "recall=1", "recall=0", "recall=0.9x", "precision=nan"}) {
    EXPECT_THROW(parse_aim(text), ConfigError) << text;
  }
}

/// Margins from -1 to 1, asked surely; positive from `from` on.
AimedCut learned(const Aim& aim, double from, int labels) {
  AimedCut cut(aim);
  for (int k = 0; k < labels; ++k) {
    const double margin = (k * 37 % 101 - 50) / 50.0;
    cut.learn(margin, margin >= from ? Label::positive : Label::negative, 1);
  }
  return cut;
}

TEST(AimedCut, moves_towards_the_margin_where_positives_begin) {
  EXPECT_EQ(learned({.kind = Aim::Kind::f1}, -0.5, 16).cut(), 0) << "too few labels";
  EXPECT_NEAR(learned({.kind = Aim::Kind::f1}, -0.5, 200).cut(), 0.7 * -0.51, 1e-9) << "0.7 of the best cut";
  EXPECT_EQ(learned({.kind = Aim::Kind::precision, .level = 0.5}, -0.5, 200).cut(), 0) << "reached by cut 0";
}

TEST(AimedCut, positive_predictions_that_could_not_be_asked_count_as_found) {
  AimedCut alone({.kind = Aim::Kind::recall, .level = 0.8});
  AimedCut with_others({.kind = Aim::Kind::recall, .level = 0.8});
  for (int k = 0; k < 200; ++k) {
    const double margin = (k * 37 % 101 - 50) / 50.0;
    for (int passed = 0; passed < 10; ++passed) with_others.pass(2, 0);
    with_others.pass(-2, 0);
    with_others.pass(2, 0.5);
    for (AimedCut* cut : {&alone, &with_others})
      cut->learn(margin, margin > -0.5 ? Label::positive : Label::negative, 1);
  }
  EXPECT_LT(alone.cut(), -0.1);
  EXPECT_EQ(with_others.cut(), 0);
}

TEST(AimedCut, a_high_precision_needs_a_higher_cut_than_a_high_recall) {
  AimedCut precise({.kind = Aim::Kind::precision, .level = 0.9});
  AimedCut thorough({.kind = Aim::Kind::recall, .level = 0.9});
  for (int k = 0; k < 400; ++k) {
    const double margin = (k * 37 % 101 - 50) / 50.0;
    const double chance = (1 + margin) / 2;  // of a positive label
    const Label y = (k * 61 % 97) / 97.0 < chance ? Label::positive : Label::negative;
    precise.learn(margin, y, 1);
    thorough.learn(margin, y, 1);
  }
  EXPECT_GT(precise.cut(), 0.3);
  EXPECT_LT(thorough.cut(), -0.1);
}

TEST(AimedCut, a_rarely_asked_label_stands_for_many) {
  // Far below 0 labels are asked with probability 1/10, and a fifth of them is positive.
  AimedCut weighted({.kind = Aim::Kind::recall, .level = 0.9});
  AimedCut plain({.kind = Aim::Kind::recall, .level = 0.9});
  for (int k = 0; k < 400; ++k) {
    const bool far = k % 8 == 0;
    const double margin = (far ? -1 : 0) + (k * 37 % 101 - 50) / 200.0;
    const Label y = far ? (k % 40 == 0 ? Label::positive : Label::negative)
                        : (margin > 0 ? Label::positive : Label::negative);
    weighted.learn(margin, y, far ? 0.1 : 1);
    plain.learn(margin, y, 1);
  }
  EXPECT_LT(weighted.cut(), -0.5);
  EXPECT_GT(plain.cut(), -0.5);
}

}  // namespace
}  // namespace askfew
