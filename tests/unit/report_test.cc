#include "apps/cli/reports/report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/unit/fake_sampler.h"

namespace askfew::cli {
namespace {

/// A run that ended with these tallies, one a task.
Model ended_with(const std::vector<Tally>& tallies) {
  Model model;
  model.config.sampler = parse_preset("sel-p");
  for (const Tally& tally : tallies) {
    model.tasks.push_back(
        {.name = "task", .label = 0, .sampler = std::make_unique<FakeSampler>(tally), .confusion = {}});
  }
  return model;
}

std::string text_of(const Model& model) {
  return text_report({.model = model});
}

const Tally by_bounds{.round = 1000,
                      .asked = 100,
                      .updates = 10,
                      .expected_asked = 104.5,
                      .expected_slack = 6.25,
                      .spreads = 123};

TEST(Report, expected_labels_are_an_interval_where_bounds_settled_rounds) {
  const std::string text = text_of(ended_with({by_bounds}));
  EXPECT_NE(text.find("900 saved; expected 98.2 to 104.5\n"), std::string::npos) << text;
  EXPECT_NE(text.find("spread     computed in 123 of 1,000 rounds (12.30%)\n"), std::string::npos) << text;
}

TEST(Report, tasks_add_up) {
  const Model model = ended_with({by_bounds, by_bounds});
  const std::string text = text_of(model);
  EXPECT_NE(text.find("1,800 saved; expected 196.5 to 209.0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("spread computed in 246 of 2,000 rounds (12.30%)\n"), std::string::npos) << text;
  const auto json = json_report({.model = model, .baseline = {}});
  EXPECT_EQ(json["tasks"][1]["expected_asked"], 104.5);
  EXPECT_EQ(json["tasks"][1]["expected_asked_at_least"], 98.25);
  EXPECT_EQ(json["tasks"][1]["spreads"], 123);
  EXPECT_EQ(json["macro"]["expected_asked"], 209.0);
  EXPECT_EQ(json["macro"]["expected_asked_at_least"], 196.5);
  EXPECT_EQ(json["macro"]["spreads"], 246);
}

TEST(Report, without_a_spread_there_is_one_number) {
  Tally exact = by_bounds;
  exact.expected_slack = 0;
  exact.spreads = 0;
  const std::string text = text_of(ended_with({exact}));
  EXPECT_NE(text.find("900 saved; expected 104.5\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("spread"), std::string::npos) << text;
}

TEST(Report, no_less_than_nothing_is_expected) {
  Tally rounded = by_bounds;
  rounded.expected_slack = rounded.expected_asked * (1 + 1e-15);
  EXPECT_NE(text_of(ended_with({rounded})).find("expected 0.0 to 104.5"), std::string::npos);
}

}  // namespace
}  // namespace askfew::cli
