#include "askfew/catalog/catalog.h"

#include <gtest/gtest.h>
#include <set>

namespace askfew {
namespace {

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Catalog, names_are_unique) {
  std::set<std::string> learners;
  std::set<std::string> rules;
  std::set<std::string> presets;
  for (const auto& entry : learner_entries())
    EXPECT_TRUE(learners.insert(std::string(entry.info.name)).second);
  for (const auto& entry : rule_entries()) EXPECT_TRUE(rules.insert(std::string(entry.info.name)).second);
  for (const auto& entry : preset_entries()) EXPECT_TRUE(presets.insert(entry.name).second);
}

TEST(Catalog, every_algorithm_has_a_formula_a_paper_and_defaults_within_their_ranges) {
  const auto check = [](const auto& entry) {
    EXPECT_FALSE(entry.info.formula.empty()) << entry.info.name;
    EXPECT_FALSE(entry.info.paper.empty()) << entry.info.name;
    for (const ParamEntry& param : entry.params) {
      EXPECT_TRUE(param.range.contains(param.standard)) << entry.info.name << " " << param.name;
      EXPECT_FALSE(param.help.empty());
    }
  };
  for (const auto& entry : learner_entries()) check(entry);
  for (const auto& entry : rule_entries()) check(entry);
}

TEST(Catalog, a_spec_is_unchanged_by_parsing_and_printing) {
  for (const auto& preset : preset_entries()) {
    EXPECT_EQ(parse_learner(text_of(preset.config.learner)), preset.config.learner);
    EXPECT_EQ(parse_rule(text_of(preset.config.rule)), preset.config.rule);
  }
}

TEST(Catalog, parameters_that_are_not_named_have_their_defaults) {
  EXPECT_EQ(parse_learner("pa-1"), parse_learner("pa-1:C=1"));
  EXPECT_EQ(parse_rule("halving:s=0.5").params.at("R"), 32);
}

TEST(Catalog, presets_take_parameters_of_learner_and_rule) {
  const SamplerConfig config = parse_preset("sel-p:rate=2,b=0.25");
  EXPECT_EQ(config.learner.params.at("rate"), 2);
  EXPECT_EQ(config.rule.params.at("b"), 0.25);
  EXPECT_EQ(parse_preset("sel-p:rule.b=0.25,learner.rate=2"), config);
}

TEST(Catalog, messages_say_what_is_wrong_and_what_would_be_right) {
  EXPECT_EQ(complaint([] { parse_preset("sel-q"); }), "unknown sampler 'sel-q': did you mean 'sel-p'?");
  EXPECT_EQ(complaint([] { parse_rule("margin:b=0"); }), "margin: b = 0 is out of range, accepted: (0, inf)");
  EXPECT_EQ(complaint([] { parse_rule("margin:c=1"); }), "margin has no parameter 'c': known: b");
  EXPECT_EQ(complaint([] { parse_rule("always:c=1"); }), "always has no parameter 'c' and no other");
  EXPECT_EQ(complaint([] { parse_rule("margin:b"); }), "'b' in 'margin:b' is not parameter=value");
  EXPECT_EQ(complaint([] { parse_rule("margin:b=x"); }), "b = 'x' is not a number");
  EXPECT_EQ(complaint([] { parse_preset("sel-p:xyz.b=1"); }),
            "sel-p has no parameter 'xyz.b': known: rate, b");
  EXPECT_EQ(complaint([] { parse_rule("margin:b=1,b=2"); }), "'margin:b=1,b=2' gives b twice");
  EXPECT_EQ(complaint([] { parse_policy("never"); }), "update 'never' is not one of: mistake, asked, margin");
  EXPECT_EQ(complaint([] { parse_learner("adaboost"); }).substr(0, 40),
            "unknown learner 'adaboost': known: perce");
}

TEST(Catalog, only_winnow_the_cutting_planes_and_the_transient_need_the_dimension) {
  std::set<std::string> needing;
  for (const auto& preset : preset_entries()) {
    if (needs_dimension(preset.config)) needing.insert(preset.name);
  }
  EXPECT_EQ(needing, (std::set<std::string>{"sel-winnow", "winnow", "ellipsoid", "volumetric-center",
                                            "gravity-center"}));
  EXPECT_TRUE(
      needs_dimension({.learner = parse_learner("pa"), .rule = parse_rule("log-threshold:lambda=0.1")}));
}

}  // namespace
}  // namespace askfew
