// Why a label was asked: the threshold of every rule, and the features with the largest contributions.

#include "askfew/protocol/explanation.h"

#include <gtest/gtest.h>
#include <random>

#include "askfew/catalog/catalog.h"

namespace askfew {
namespace {

TEST(Explanation, the_largest_contributions_come_first_and_equal_ones_in_the_order_of_their_features) {
  HeaviestFeatures heaviest;
  for (const auto& [index, share] :
       {std::pair{1U, 0.5}, {2U, -2.0}, {3U, 0.0}, {4U, 0.5}, {5U, 3.0}, {6U, 0.1}})
    heaviest.add({index, share});
  ASSERT_EQ(heaviest.list().size(), 3);
  EXPECT_EQ(heaviest.list()[0].index, 5);
  EXPECT_EQ(heaviest.list()[1].index, 2);
  EXPECT_EQ(heaviest.list()[2].index, 1);
}

TEST(Explanation, the_largest_margin_is_found_to_more_digits_than_are_printed) {
  for (const double edge : {1e-300, 0.1, 1.0, 1e300}) {
    const auto up_to_edge = [&](double margin) { return margin <= edge; };
    const double found = *largest_margin(0.3, up_to_edge);
    EXPECT_LE(found, edge);
    EXPECT_GT(found, edge * (1 - 1e-7));
  }
  EXPECT_EQ(largest_margin(0.3, [](double margin) { return margin == 0; }), 0);
  EXPECT_EQ(largest_margin(0.3, [](double) { return true; }), std::numeric_limits<double>::infinity());
  EXPECT_EQ(largest_margin(0.3, [](double) { return false; }), std::nullopt);
}

TEST(Explanation, the_largest_margin_is_on_the_right_side_of_the_margin_to_the_last_bit) {
  for (const double edge : {5e-324, 1e-300, 0.1, 1.0, 1e300}) {
    const auto up_to_edge = [&](double margin) { return margin <= edge; };
    EXPECT_GE(largest_margin(-edge, up_to_edge), edge);
    const double above = std::nextafter(edge, 1e308);
    EXPECT_LT(largest_margin(above, up_to_edge), above);
  }
}

/// Runs a sampler over random instances and explains every round.
template <class See>
void explain_all(SamplerConfig config, See&& see) {
  config.update = standard_policy(config.learner);
  const auto sampler = make_sampler(config, {.key = {.seed = 1}, .dimension = 5}, Exactness::exact);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int t = 0; t < 300; ++t) {
    std::vector<double> x(5);
    for (double& value : x) value = normal(random);
    const FeatureView view = FeatureView::dense(x);
    const bool started = sampler->started();
    const Query query = sampler->ask(view);
    if (started) see(query, sampler->explain(view, query));
    if (query.asked) sampler->tell(view, x[0] + x[1] > 0 ? Label::positive : Label::negative, query);
  }
}

template <class See>
void explain_all(const std::string& learner, const std::string& rule, See&& see) {
  explain_all({.learner = parse_learner(learner), .rule = parse_rule(rule)}, see);
}

TEST(Explanation, every_rule_asks_for_a_label_up_to_its_threshold) {
  for (const RuleEntry& rule : rule_entries()) {
    const std::string learner = rule.needs_spread ? "second-order" : "pa-1";
    int asked = 0;
    explain_all(learner, std::string(rule.info.name), [&](const Query& query, const Explanation& why) {
      asked += query.asked ? 1 : 0;
      EXPECT_EQ(query.asked, why.threshold && std::abs(query.score.margin) <= *why.threshold)
          << rule.info.name << " round " << query.round;
      EXPECT_EQ(why.scale > 0, !rule.info.scale.empty());
      EXPECT_FALSE(why.held_back);
    });
    EXPECT_GT(asked, 5) << rule.info.name;
  }
}

TEST(Explanation, a_decision_that_was_made_one_round_before_does_not_depend_on_the_margin) {
  explain_all("pa-1", "log-threshold:next=1", [](const Query& query, const Explanation& why) {
    EXPECT_EQ(query.asked, why.threshold.has_value());
    EXPECT_TRUE(std::isinf(why.threshold.value_or(std::numeric_limits<double>::infinity())));
  });
}

TEST(Explanation, a_budget_holds_a_question_back_only_if_it_has_no_credit_and_the_rule_would_ask) {
  SamplerConfig config{.learner = parse_learner("pa-1"), .rule = parse_rule("log-threshold:next=1")};
  config.spending = {.budget = {.kind = LabelBudget::Kind::share, .amount = 0.2}, .audit = 0.1};
  double asked = 0;
  int held_back = 0;
  int waited = 0;  // no credit, and the rule would not ask
  explain_all(config, [&](const Query& query, const Explanation& why) {
    const double credit = 0.2 * static_cast<double>(query.round) - asked;
    const bool blocked =
        credit < 1 + (1 + 7 * (1.0 / 3 + 0.5 / (2 * 0.5)));  // what the plan leaves the audit
    EXPECT_TRUE(blocked || !why.held_back) << "round " << query.round;
    held_back += why.held_back ? 1 : 0;
    waited += blocked && !why.held_back ? 1 : 0;
    asked += query.asked ? 1 : 0;
  });
  EXPECT_GT(held_back, 20);
  EXPECT_GT(waited, 20);
}

TEST(Explanation, features_explain_every_linear_margin_that_is_not_0_and_no_kernel_margin) {
  for (const std::string learner :
       {"perceptron", "pa-1", "second-order:form=primal", "arow-diagonal", "winnow"}) {
    bool any = false;
    explain_all(learner, "always", [&](const Query& query, const Explanation& why) {
      any |= !why.heaviest.list().empty();
      EXPECT_EQ(why.heaviest.list().empty(), query.score.margin == 0) << learner;
    });
    EXPECT_TRUE(any) << learner;
  }
  for (const std::string learner : {"scaled-logistic:full=0", "scaled-logistic"}) {
    std::size_t explained = 0;
    explain_all(learner, "always", [&](const Query& /*query*/, const Explanation& why) {
      explained += why.heaviest.list().empty() ? 0 : 1;
    });
    EXPECT_GT(explained, 50U) << learner << " has an offset besides its features";
  }
  explain_all("kernel-perceptron", "always", [](const Query& /*query*/, const Explanation& why) {
    EXPECT_TRUE(why.heaviest.list().empty());
  });
}

}  // namespace
}  // namespace askfew
