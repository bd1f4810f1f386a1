#include "askfew/trials/held_out.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "tests/unit/reading.h"

namespace askfew {
namespace {

/// Four examples for learning, then four held-out examples.
Dataset made_up() {
  const test::TemporaryFile file(
      "-1 1:1\n+1 2:1\n-1 1:1 2:1\n+1 2:1\n"
      "-1 1:1\n+1 2:1\n-1 1:2 2:1\n+1 1:1 2:2\n");
  const auto stream = open_stream(file.path(), {});
  FeatureState features{FeatureOptions{}};
  return Dataset::read(*stream, Labelling::plain(), features);
}

constexpr std::array<std::uint32_t, 4> learned{0, 1, 2, 3};
constexpr std::array<std::uint32_t, 4> held_out{4, 5, 6, 7};
constexpr HeldOutEnd never{.error = -1};

HeldOutCurve curve(const std::string& learner, const std::string& rule, const HeldOutEnd& end = never,
                   std::span<const std::uint32_t> rows = learned) {
  const Dataset data = made_up();
  return held_out_curve(data, rows, held_out,
                        {.sampler = {.learner = parse_learner(learner), .rule = parse_rule(rule)}}, end);
}

void expect_points(const HeldOutCurve& found, const std::vector<HeldOutPoint>& points) {
  ASSERT_EQ(found.points.size(), points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    EXPECT_EQ(found.points[k].labels, points[k].labels);
    EXPECT_EQ(found.points[k].error, points[k].error);
  }
}

TEST(HeldOut, has_a_point_before_the_first_label_and_after_every_update) {
  // w = (0,0), no update on the first example, then (0,1), (-1,0), (-1,1)
  const HeldOutCurve found = curve("perceptron", "always");
  expect_points(found, {{0, 0.5}, {2, 0.25}, {3, 0.5}, {4, 0}});
  EXPECT_EQ(found.asked, 4);
}

TEST(HeldOut, a_label_that_starts_a_learner_is_a_point) {
  const HeldOutCurve found = curve("reflect", "always", never, std::span(learned).subspan(1, 1));
  expect_points(found, {{0, 0.5}, {1, 0.25}});  // v = (0,1)
}

TEST(HeldOut, labels_that_are_not_asked_for_are_not_counted) {
  const HeldOutCurve found = curve("perceptron", "halving:R=1,s=0.5");
  expect_points(found, {{0, 0.5}, {2, 0.25}});
  EXPECT_EQ(found.asked, 2);
}

TEST(HeldOut, labels_are_counted_until_the_error_is_reached_for_the_first_time) {
  const HeldOutCurve found = curve("perceptron", "always");
  EXPECT_EQ(found.labels_to_reach(0.5), 0);
  EXPECT_EQ(found.labels_to_reach(0.49), 2);
  EXPECT_EQ(found.labels_to_reach(0.25), 2);
  EXPECT_EQ(found.labels_to_reach(0.24), 4);
  EXPECT_EQ(found.labels_to_reach(0), 4);
}

TEST(HeldOut, an_error_that_is_never_reached_has_no_count_of_labels) {
  const HeldOutCurve found = curve("perceptron", "always", {.error = 0.1}, std::span(learned).first(3));
  EXPECT_EQ(found.labels_to_reach(0.1), std::nullopt);
  EXPECT_EQ(found.asked, 3);
}

TEST(HeldOut, the_error_after_some_labels_is_the_error_of_the_last_change) {
  const HeldOutCurve found = curve("perceptron", "always");
  EXPECT_EQ(found.error_after(0), 0.5);
  EXPECT_EQ(found.error_after(1), 0.5);
  EXPECT_EQ(found.error_after(2), 0.25);
  EXPECT_EQ(found.error_after(3), 0.5);
  EXPECT_EQ(found.error_after(100), 0);
}

TEST(HeldOut, ends_when_error_and_labels_are_reached) {
  EXPECT_EQ(curve("perceptron", "always", {.error = 0.25}).asked, 2);
  EXPECT_EQ(curve("perceptron", "always", {.error = 0.25, .labels = 3}).asked, 3);
  EXPECT_EQ(curve("perceptron", "always", {.error = 0.1, .labels = 1}).asked, 4);
}

TEST(Folds, hold_out_every_row_once_and_keep_the_order) {
  const std::vector<std::uint32_t> rows{7, 3, 9, 1, 8, 2, 6, 0, 5, 4};
  std::vector<std::uint32_t> all;
  for (std::size_t k = 0; k < 3; ++k) {
    const Fold fold = fold_of(rows, k, 3);
    EXPECT_TRUE(fold.held_out.size() == 3 || fold.held_out.size() == 4);
    all.insert(all.end(), fold.held_out.begin(), fold.held_out.end());
    std::vector<std::uint32_t> rest;
    std::ranges::copy_if(rows, std::back_inserter(rest), [&](std::uint32_t row) {
      return std::ranges::find(fold.held_out, row) == fold.held_out.end();
    });
    EXPECT_EQ(fold.rows, rest);
  }
  EXPECT_EQ(all, rows);
}

}  // namespace
}  // namespace askfew
