#include "askfew/spending/spending_plan.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>

namespace askfew {
namespace {

LabelBudget budget_of(const std::string& text, std::uint64_t horizon) {
  LabelBudget budget = parse_budget(text);
  budget.horizon = horizon;
  return budget;
}

// A plan is a straight line between some rounds, and the power between them.
constexpr double bend = 0.5;

TEST(PlannedBy, is_what_the_plan_allows) {
  for (const LabelBudget& budget : {budget_of("60", 1500), budget_of("5%", 4000), budget_of("20%", 900),
                                    budget_of("7", 300), budget_of("50", 0), budget_of("5%", 0)}) {
    SpendingPlan plan(budget);
    for (std::uint64_t round = 1; round <= 2000; ++round) {
      plan.next_round();
      plan.plan();
      const double allowed = std::min(static_cast<double>(round), plan.credit());
      ASSERT_NEAR(plan.planned_by(round).value(), allowed, bend)
          << text_of(budget) << " for " << budget.horizon << " rounds, round " << round;
    }
  }
}

TEST(PlannedBy, ends_with_the_budget_and_never_falls) {
  for (const double audit : {0.0, 0.004, 0.02}) {
    const SpendingPlan plan(budget_of("60", 1500), audit);
    double before = 0;
    for (std::uint64_t round = 0; round <= 1500; ++round) {
      const double labels = plan.planned_by(round).value();
      ASSERT_GE(labels, before) << round;
      before = labels;
    }
    EXPECT_EQ(before, 60);
    EXPECT_EQ(plan.planned_by(5000), 60);
  }
}

TEST(PlannedBy, is_unknown_for_a_period) {
  EXPECT_EQ(SpendingPlan(parse_budget("20/day")).planned_by(10), std::nullopt);
}

}  // namespace
}  // namespace askfew
