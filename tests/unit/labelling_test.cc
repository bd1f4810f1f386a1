#include "askfew/models/labelling.h"

#include <gtest/gtest.h>

namespace askfew {
namespace {

using Ids = std::vector<Examples::LabelId>;

std::vector<Label> labels_of(const Labelling& labelling, const Ids& given) {
  std::vector<Label> labels(labelling.tasks());
  EXPECT_TRUE(labelling.assign(given, labels));
  return labels;
}

TEST(Labelling, plain_takes_minus_one_zero_and_one) {
  const Labelling plain = Labelling::plain();
  EXPECT_EQ(labels_of(plain, {1})[0], Label::positive);
  EXPECT_EQ(labels_of(plain, {0})[0], Label::negative);
  EXPECT_EQ(labels_of(plain, {-1})[0], Label::negative);
}

TEST(Labelling, plain_refuses_every_other_label_and_says_what_to_do) {
  std::vector<Label> labels(1);
  for (const Ids& given : {Ids{2}, Ids{-2}, Ids{}, Ids{0, 1}}) {
    const auto assigned = Labelling::plain().assign(given, labels);
    ASSERT_FALSE(assigned);
    EXPECT_NE(assigned.error().find("`labels`"), std::string::npos);
  }
}

TEST(Labelling, with_labels_1_and_2_the_label_2_is_positive) {
  const Labelling labelling = Labelling::one_two();
  EXPECT_EQ(labels_of(labelling, {2})[0], Label::positive);
  EXPECT_EQ(labels_of(labelling, {1})[0], Label::negative);
  std::vector<Label> labels(1);
  for (const Ids& given : {Ids{0}, Ids{3}, Ids{}, Ids{1, 2}}) {
    const auto assigned = labelling.assign(given, labels);
    ASSERT_FALSE(assigned);
    EXPECT_NE(assigned.error().find("`labels`"), std::string::npos);
  }
}

TEST(Labelling, any_of_makes_one_task) {
  const Labelling labelling = Labelling::any_of(Ids{1, 4, 7});
  EXPECT_EQ(labelling.tasks(), 1);
  EXPECT_EQ(labels_of(labelling, {4})[0], Label::positive);
  EXPECT_EQ(labels_of(labelling, {3, 7})[0], Label::positive);
  EXPECT_EQ(labels_of(labelling, {3})[0], Label::negative);
  EXPECT_EQ(labels_of(labelling, {})[0], Label::negative);
}

TEST(Labelling, each_named_label_makes_a_task) {
  const Labelling labelling = Labelling::one_per_label(Ids{17, 3});
  EXPECT_EQ(labels_of(labelling, {3, 99}), (std::vector{Label::negative, Label::positive}));
  EXPECT_EQ(labels_of(labelling, {3, 17}), (std::vector{Label::positive, Label::positive}));
  EXPECT_EQ(labels_of(labelling, {}), (std::vector{Label::negative, Label::negative}));
}

}  // namespace
}  // namespace askfew
