#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

#include "askfew/models/label_plan.h"
#include "askfew/streams/open.h"

#include "papers/defaults/judge.h"

namespace askfew::defaults {
namespace {

/// Four features, and a linear target that stays.
std::shared_ptr<const Dataset> data_of(std::size_t rows) {
  const auto stream =
      open_stream("synthetic:shifting-gaussian:d=4,switch=1000000,n=" + std::to_string(rows), {});
  FeatureState features;
  return std::make_shared<Dataset>(Dataset::read(*stream, LabelPlan{}.labelling(*stream), features));
}

TEST(Defaults, every_second_row_of_a_duplicated_stream_comes_twice) {
  const Variant variant{.set = "s",
                        .family = "s",
                        .name = "twice",
                        .data = data_of(10),
                        .ordered = true,
                        .duplicated = true,
                        .rounds = 6};
  EXPECT_EQ(variant.rows(1, 0), (std::vector<std::uint32_t>{0, 1, 1, 2, 3, 3}));
}

TEST(Defaults, another_run_has_another_order_unless_the_stream_is_ordered) {
  Variant variant{
      .set = "s", .family = "s", .name = "v", .data = data_of(50), .ordered = false, .rounds = 50};
  EXPECT_NE(variant.rows(1, 0), variant.rows(1, 1));
  EXPECT_EQ(variant.rows(1, 1), variant.rows(1, 1));
  variant.ordered = true;
  EXPECT_EQ(variant.rows(1, 0), variant.rows(1, 1));
}

TEST(Defaults, wild_scales_change_a_feature_by_the_same_factor_everywhere) {
  const auto data = data_of(20);
  const Dataset wild = with_wild_scales(*data);
  const double factor = wild.x(0).values()[1] / data->x(0).values()[1];
  EXPECT_NE(factor, wild.x(0).values()[0] / data->x(0).values()[0]);
  for (std::size_t row = 0; row < data->size(); ++row)
    EXPECT_NEAR(wild.x(row).values()[1], factor * data->x(row).values()[1], 1e-12 * factor);
}

TEST(Defaults, exchanged_classes_have_the_other_label_in_every_row) {
  const auto data = data_of(20);
  const Dataset other = flipped(*data);
  for (std::size_t row = 0; row < data->size(); ++row) EXPECT_NE(other.label(row, 0), data->label(row, 0));
  EXPECT_EQ(other.positives(0), data->size() - data->positives(0));
}

TEST(Defaults, a_cell_counts_every_round_and_the_labels_of_its_budget) {
  const Variant variant{
      .set = "s", .family = "s", .name = "v", .data = data_of(2000), .ordered = true, .rounds = 2000};
  const Cell cell = cell_of(measure(variant, parse_preset("arow-log"), share_of_labels(0.1), 2, 1));
  ASSERT_EQ(cell.errors.size(), 2);
  EXPECT_GE(*std::min_element(cell.spent.begin(), cell.spent.end()), 0.97);
  EXPECT_LE(*std::max_element(cell.spent.begin(), cell.spent.end()), 1);
  EXPECT_LT(cell.error(), 0.3);
  EXPECT_LT(cell.above_majority[0], 0);
  EXPECT_NEAR(cell.standard_error(), std::sqrt(cell.error() * (1 - cell.error()) / 4000), 1e-3);
}

/// The default errs in `own` of the rounds, the preset in 10%, random labels in 20%.
Measured measured_with(double own) {
  const auto cell = [](double error) {
    return Cell{.errors = {error}, .f1 = {1 - error}, .spent = {1}, .above_majority = {-1}, .rounds = 1000};
  };
  Measured measured{.variants = {{.set = "s", .family = "s", .name = "v", .data = {}}},
                    .samplers = {"auto", "random", "preset"},
                    .changed = {},
                    .candidates = {},
                    .shares = {0.05},
                    .cells = {},
                    .failed = {}};
  const Variant& variant = measured.variants[0];
  measured.cells[Measured::key(variant, "auto", 0.05)] = cell(own);
  measured.cells[Measured::key(variant, "random", 0.05)] = cell(0.2);
  measured.cells[Measured::key(variant, "preset", 0.05)] = cell(0.1);
  return measured;
}

TEST(Defaults, near_the_best_preset_is_within_five_percent_of_it) {
  EXPECT_TRUE(near_best(measured_with(0.105), "auto", &Cell::error, "").holds);
  EXPECT_FALSE(near_best(measured_with(0.106), "auto", &Cell::error, "").holds);
}

TEST(Defaults, more_than_a_standard_error_above_random_is_worse_than_random) {
  EXPECT_TRUE(not_worse_than_random(measured_with(0.212)).holds);
  EXPECT_FALSE(not_worse_than_random(measured_with(0.214)).holds);
}

TEST(Defaults, constants_are_chosen_without_the_family_that_they_are_reported_on) {
  const auto cell = [](double error) {
    return Cell{.errors = {error}, .f1 = {0}, .spent = {1}, .above_majority = {-1}, .rounds = 1000};
  };
  Measured measured{.variants = {},
                    .samplers = {"auto", "random", "preset"},
                    .changed = {},
                    .candidates = {"auto:a=2"},
                    .shares = {0.05},
                    .cells = {},
                    .failed = {}};
  for (const std::string family : {"a", "b"}) {
    measured.variants.push_back({.set = family, .family = family, .name = std::string(as_read), .data = {}});
    const Variant& variant = measured.variants.back();
    measured.cells[Measured::key(variant, "preset", 0.05)] = cell(0.1);
    measured.cells[Measured::key(variant, "auto", 0.05)] = cell(family == "a" ? 0.1 : 0.2);
    measured.cells[Measured::key(variant, "auto:a=2", 0.05)] = cell(family == "a" ? 0.3 : 0.1);
  }
  EXPECT_EQ(chosen_without(measured, "a"), "auto:a=2");
  EXPECT_EQ(chosen_without(measured, "b"), "auto");
}

TEST(Defaults, a_run_of_the_default_that_failed_is_named) {
  Measured measured = measured_with(0.1);
  EXPECT_TRUE(never_fails(measured).holds);
  measured.failed.push_back(Measured::key(measured.variants[0], "preset", 0.05));
  EXPECT_TRUE(never_fails(measured).holds);
  measured.failed.push_back(Measured::key(measured.variants[0], "auto", 0.05));
  EXPECT_FALSE(never_fails(measured).holds);
}

}  // namespace
}  // namespace askfew::defaults
