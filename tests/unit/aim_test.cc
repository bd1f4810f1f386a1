// Where predictions are cut for an aim that is not accuracy.

#include "askfew/protocol/aim.h"

#include <cmath>
#include <gtest/gtest.h>

#include "askfew/core/errors.h"
#include "askfew/math/logistic.h"

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

TEST(AimedCut, of_earlier_versions_moves_towards_the_margin_where_positives_begin) {
  const Aim earlier{.kind = Aim::Kind::f1, .calibrated = false};
  EXPECT_EQ(learned(earlier, -0.5, 16).cut(), 0) << "too few labels";
  EXPECT_NEAR(learned(earlier, -0.5, 200).cut(), 0.7 * -0.51, 1e-9) << "0.7 of the best cut";
  const Aim precision{.kind = Aim::Kind::precision, .level = 0.5, .calibrated = false};
  EXPECT_EQ(learned(precision, -0.5, 200).cut(), 0) << "reached by cut 0";
}

TEST(AimedCut, for_f1_moves_half_of_the_way_to_the_margin_where_half_of_F_is_positive) {
  const Aim f1{.kind = Aim::Kind::f1};
  EXPECT_EQ(learned(f1, -0.5, 7).cut(), 0) << "too few labels";
  EXPECT_LT(learned(f1, -0.5, 200).cut(), learned(f1, 0, 200).cut());
  // Positive with the probability s(4 m): F is largest with the cut m where s(4 m) is half of F.
  AimedCut cut(f1);
  for (int k = 0; k < 2000; ++k) {
    const double margin = (k * 37 % 101 - 70) / 50.0;
    const bool positive = (k * 61 % 97 + 0.5) / 97.0 < math::sigmoid(4 * margin);
    cut.learn(margin, positive ? Label::positive : Label::negative, 1);
  }
  double best = 0;
  double best_cut = 0;
  for (int at = -70; at <= 30; ++at) {
    double found = 0;
    double called = 0;
    double all = 0;
    for (int j = -70; j <= 30; ++j) {
      const double p = math::sigmoid(4 * j / 50.0);
      all += p;
      found += j > at ? p : 0;
      called += j > at ? 1 : 0;
    }
    if (2 * found / (called + all) <= best) continue;
    best = 2 * found / (called + all);
    best_cut = at / 50.0;
  }
  EXPECT_NEAR(cut.cut(), best_cut / 2, 0.03);
}

TEST(AimedCut, for_f1_does_not_depend_on_the_scale_of_margins) {
  AimedCut small({.kind = Aim::Kind::f1});
  AimedCut large({.kind = Aim::Kind::f1});
  for (int k = 0; k < 1500; ++k) {
    const double margin = (k * 37 % 101 - 60) / 50.0;
    for (const auto& [cut, scale] : {std::pair(&small, 0x1p-10), std::pair(&large, 0x1p10)}) {
      if (k % 3 == 0) {
        cut->learn(scale * margin, k % 7 < 3 ? Label::positive : Label::negative, 1);
      } else {
        cut->pass(scale * margin, 0);
      }
    }
  }
  EXPECT_NE(small.cut(), 0);
  EXPECT_DOUBLE_EQ(0x1p20 * small.cut(), large.cut());
}

TEST(AimedCut, for_f1_is_0_if_all_margins_are_0_and_finite_if_all_labels_are_wrong) {
  AimedCut zero({.kind = Aim::Kind::f1});
  AimedCut wrong({.kind = Aim::Kind::f1});
  for (int k = 0; k < 40; ++k) {
    zero.learn(0, k % 2 == 0 ? Label::positive : Label::negative, 1);
    wrong.learn(k % 2 == 0 ? 1e6 : -1e6, k % 2 == 0 ? Label::negative : Label::positive, 1);
  }
  EXPECT_EQ(zero.cut(), 0);
  EXPECT_TRUE(std::isfinite(wrong.cut()));
}

TEST(AimedCut, of_earlier_versions_counts_positive_predictions_that_could_not_be_asked_as_found) {
  AimedCut alone({.kind = Aim::Kind::recall, .level = 0.8, .calibrated = false});
  AimedCut with_others({.kind = Aim::Kind::recall, .level = 0.8, .calibrated = false});
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
  EXPECT_GT(precise.cut(), 0.2);
  EXPECT_LT(thorough.cut(), -0.1);
}

/// Margins from -1.4 to 0.6, positive with the probability s(4 m); a fifth of the labels is asked.
double cut_of_logistic_margins(const Aim& aim) {
  AimedCut cut(aim);
  for (int k = 0; k < 5000; ++k) {
    const double margin = (k * 37 % 101 - 70) / 50.0;
    const bool positive = (k * 61 % 97 + 0.5) / 97.0 < math::sigmoid(4 * margin);
    if (k % 5 == 0) {
      cut.learn(margin, positive ? Label::positive : Label::negative, 1);
    } else {
      cut.pass(margin, 0);
    }
  }
  return cut.cut();
}

TEST(AimedCut, for_recall_has_this_share_of_the_expected_positives_above_it) {
  for (const double level : {0.8, 0.9, 0.95}) {
    const double cut = cut_of_logistic_margins({.kind = Aim::Kind::recall, .level = level});
    double found = 0;
    double all = 0;
    for (int j = -70; j <= 30; ++j) {
      const double p = math::sigmoid(4 * j / 50.0);
      all += p;
      found += j / 50.0 > cut ? p : 0;
    }
    EXPECT_NEAR(found / all, level, 0.05);
  }
}

TEST(AimedCut, for_precision_goes_half_of_the_way_to_the_cut_with_this_share_of_positives_above_it) {
  for (const double level : {0.8, 0.85}) {
    const double cut = cut_of_logistic_margins({.kind = Aim::Kind::precision, .level = level});
    double found = 0;
    double called = 0;
    for (int j = -70; j <= 30; ++j) {
      found += j / 50.0 > 2 * cut ? math::sigmoid(4 * j / 50.0) : 0;
      called += j / 50.0 > 2 * cut ? 1 : 0;
    }
    EXPECT_NEAR(found / called, level, 0.05);
  }
}

TEST(AimedCut, for_recall_and_precision_is_0_where_the_share_is_reached_by_0) {
  EXPECT_EQ(cut_of_logistic_margins({.kind = Aim::Kind::recall, .level = 0.3}), 0);
  EXPECT_EQ(cut_of_logistic_margins({.kind = Aim::Kind::precision, .level = 0.3}), 0);
}

TEST(AimedCut, for_recall_is_below_all_margins_that_are_equal) {
  AimedCut cut({.kind = Aim::Kind::recall, .level = 0.5});
  for (int k = 0; k < 40; ++k) cut.learn(-1, k % 2 == 0 ? Label::positive : Label::negative, 1);
  EXPECT_EQ(cut.cut(), -1.5);
}

TEST(AimedCut, of_earlier_versions_takes_a_rarely_asked_label_for_many) {
  // Far below 0 labels are asked with probability 1/10, and a fifth of them is positive.
  AimedCut weighted({.kind = Aim::Kind::recall, .level = 0.9, .calibrated = false});
  AimedCut plain({.kind = Aim::Kind::recall, .level = 0.9, .calibrated = false});
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
