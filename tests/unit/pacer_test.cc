#include "askfew/spending/pacer.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "askfew/catalog/catalog.h"
#include "askfew/core/errors.h"
#include "askfew/core/snapshot.h"
#include "askfew/spending/kth_smallest.h"

#include "tests/unit/synthetic.h"

namespace askfew {
namespace {

std::string complaint(const std::string& text) {
  try {
    parse_budget(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(LabelBudget, is_a_count_or_a_share_or_a_count_per_period) {
  for (const std::string text :
       {"500", "5%", "7%", "29%", "0.5%", "0.7%", "100%", "200/day", "3/hour", "1/minute", "9/week"}) {
    EXPECT_EQ(text_of(parse_budget(text)), text);
  }
  for (const std::string text :
       {"", "0", "-5", "5.5", "101%", "5%%", "200/year", "200/", "/day", "x", "1e400"}) {
    EXPECT_NE(complaint(text), "") << text;
  }
}

TEST(LabelBudget, an_audit_must_leave_labels_for_the_rule) {
  EXPECT_NO_THROW(check({.budget = parse_budget("5%"), .audit = 0.01}));
  EXPECT_THROW(check({.budget = parse_budget("1%"), .audit = 0.01}), ConfigError);
  EXPECT_THROW(check({.budget = {}, .audit = 1.5}), ConfigError);
}

TEST(LabelBudget, rounding_does_not_change_a_share_that_is_a_whole_number_of_labels) {
  for (int percent = 1; percent <= 100; ++percent) {
    const double share = parse_budget(std::to_string(percent) + "%").amount;
    for (const double hundreds : {1.0, 3.0, 1e4, 1e10}) {
      EXPECT_EQ(labels_in(share, 100 * hundreds), percent * hundreds) << percent;
    }
    EXPECT_LT(labels_in(share, 100 - 1e-9), percent);
  }
  EXPECT_DOUBLE_EQ(labels_in(0.29, 50), 14.5);
  EXPECT_EQ(labels_in(0.29, 0), 0);
}

TEST(SpendingPlan, a_share_allows_all_of_its_labels_by_the_horizon) {
  LabelBudget budget = parse_budget("29%");
  SpendingPlan unknown_end(budget);
  budget.horizon = 100;
  SpendingPlan plan(budget);
  EXPECT_EQ(plan.labels_left(), 29);
  for (int t = 0; t < 100; ++t) {
    plan.next_round();
    plan.plan();
    unknown_end.next_round();
    unknown_end.plan();
  }
  EXPECT_EQ(plan.credit(), 29);
  EXPECT_EQ(unknown_end.credit(), 29);
}

TEST(SpendingPlan, unspent_labels_of_a_period_are_not_carried_over) {
  SpendingPlan plan(parse_budget("10/hour"));
  const auto at = [&](std::int64_t time) {
    plan.advance_to(time);
    plan.next_round();
    plan.plan();
    return plan.credit();
  };
  EXPECT_DOUBLE_EQ(at(0), 0);
  EXPECT_DOUBLE_EQ(at(1800), 5);
  plan.spend();
  EXPECT_DOUBLE_EQ(at(1800), 4);
  EXPECT_DOUBLE_EQ(at(900), 4) << "a clock that goes back counts as standing still";
  // The hour before had four rounds: the first round uses a quarter of the hour.
  EXPECT_DOUBLE_EQ(at(3600), 2.5);
  EXPECT_DOUBLE_EQ(at(3600 + 3240), 9);
  EXPECT_DOUBLE_EQ(at(10 * 3600 + 360), 1)
      << "the number of rounds is unknown after hours without an instance";
}

TEST(SpendingPlan, a_share_continues_after_the_horizon_and_a_count_does_not) {
  SpendingPlan share({.kind = LabelBudget::Kind::share, .amount = 0.25, .horizon = 100});
  SpendingPlan count({.kind = LabelBudget::Kind::count, .amount = 25, .horizon = 100});
  const auto go_on = [&](int rounds) {
    for (int t = 0; t < rounds; ++t) {
      share.next_round();
      share.plan();
      count.next_round();
      count.plan();
    }
  };
  go_on(100);
  EXPECT_DOUBLE_EQ(share.credit(), 25);
  EXPECT_DOUBLE_EQ(share.rounds_left(), 0);
  EXPECT_DOUBLE_EQ(count.credit(), 25);
  go_on(100);
  EXPECT_DOUBLE_EQ(share.credit(), 50);
  EXPECT_DOUBLE_EQ(share.rate(), 0.25);
  EXPECT_TRUE(std::isinf(share.rounds_left()));
  EXPECT_DOUBLE_EQ(count.credit(), 25);
}

double credit_after(SpendingPlan plan, int rounds) {
  for (int t = 0; t < rounds; ++t) plan.next_round();
  plan.plan();
  return plan.credit();
}

TEST(SpendingPlan, half_of_the_labels_come_in_the_first_quarter) {
  const SpendingPlan plan({.kind = LabelBudget::Kind::count, .amount = 400, .horizon = 20'000});
  EXPECT_NEAR(credit_after(plan, 1), 40 + 360 * std::sqrt(1 / 19'600.0), 1e-9);
  EXPECT_NEAR(credit_after(plan, 4'900), 220, 0.01);
  EXPECT_EQ(credit_after(plan, 19'600), 400);
  EXPECT_EQ(credit_after(plan, 20'000), 400);
}

TEST(SpendingPlan, a_plan_never_takes_labels_back) {
  for (const std::uint64_t horizon : {0U, 40U, 5000U}) {
    for (const double labels : {3.0, 40.0}) {
      SpendingPlan plan({.kind = LabelBudget::Kind::count, .amount = labels, .horizon = horizon});
      double before = 0;
      for (int t = 0; t < 6'000; ++t) {
        plan.next_round();
        plan.plan();
        ASSERT_GE(plan.credit(), before - 1e-4 * labels) << t << " of " << horizon;
        ASSERT_GT(plan.rate(), 0);
        ASSERT_LE(plan.credit(), labels);
        before = plan.credit();
      }
    }
  }
}

TEST(SpendingPlan, a_count_whose_end_is_unknown_gives_its_first_labels_at_once) {
  const LabelBudget budget{.kind = LabelBudget::Kind::count, .amount = 200};
  const SpendingPlan plan(budget);
  EXPECT_GE(credit_after(plan, 1), 20);
  EXPECT_EQ(assumed_rounds(budget), 4'000U);
  EXPECT_NEAR(credit_after(plan, 4'000), 20 + 180 * std::sqrt(2.0 / 3), 0.01);
  EXPECT_LT(credit_after(plan, 1'000'000), 200);
}

TEST(SpendingPlan, a_plan_of_an_earlier_version_is_even) {
  const SpendingPlan plan(
      {.kind = LabelBudget::Kind::count, .amount = 400, .horizon = 20'000, .plan = LabelBudget::Plan::even});
  EXPECT_NEAR(credit_after(plan, 9'800), 220, 1e-9);
}

/// Labels asked and labels allowed after every round of a drifting stream.
struct Spent {
  std::uint64_t asked = 0;
  double max_above = -1e9;  ///< the largest number of labels above the plan
  double widest_gap = 0;    ///< the largest number of rounds between two labels
};
Spent spend(const SamplerConfig& config, const std::string& stream, double allowed_share) {
  const auto generator = make_generator(stream);
  const auto sampler = make_sampler(config, {.key = {.seed = 3}, .dimension = 40});
  Spent spent;
  std::uint64_t last = 0;
  Examples row;
  for (std::uint64_t t = 1; t <= generator->rounds(); ++t) {
    row.clear();
    generator->add(t, row);
    const Query query = sampler->ask(row.x(0));
    if (query.asked) {
      sampler->tell(row.x(0), test::is_positive(row, 0) ? Label::positive : Label::negative, query);
      spent.widest_gap = std::max(spent.widest_gap, static_cast<double>(t - last));
      last = t;
    }
    spent.asked = sampler->tally().asked;
    spent.max_above =
        std::max(spent.max_above, static_cast<double>(spent.asked) - allowed_share * static_cast<double>(t));
  }
  return spent;
}

const std::string stationary = "synthetic:linear-noise:d=20,n=6000";
const std::string drifting = "synthetic:shifting-gaussian:d=20,n=6000";

TEST(Pacer, every_rule_with_a_scale_spends_its_share_and_is_never_above_it) {
  for (const RuleEntry& rule : rule_entries()) {
    if (rule.info.scale.empty()) continue;
    for (const std::string& stream : {stationary, drifting}) {
      for (const double share : {0.02, 0.1}) {
        SamplerConfig config{.learner = parse_learner("arow"), .rule = parse_rule(rule.info.name)};
        config.update = standard_policy(config.learner);
        config.spending.budget = {.kind = LabelBudget::Kind::share, .amount = share};
        const Spent spent = spend(config, stream, share);
        const std::string what = std::string(rule.info.name) + " on " + stream;
        EXPECT_LE(spent.max_above, 0) << what;
        EXPECT_GE(static_cast<double>(spent.asked), 0.97 * share * 6000 - 1) << what;
        EXPECT_LE(spent.widest_gap, 20 / share) << what;
      }
    }
  }
}

TEST(Pacer, a_count_is_spent_by_the_end_and_no_earlier) {
  for (const char* preset : {"auto", "pa-log", "sel-p", "rand-perc", "dgs", "ssnl", "bbq"}) {
    SamplerConfig config = parse_preset(preset);
    config.spending.budget = {.kind = LabelBudget::Kind::count, .amount = 300, .horizon = 6000};
    for (const std::string& stream : {stationary, drifting}) {
      const Spent spent = spend(config, stream, 1);
      EXPECT_LE(spent.asked, 300U) << preset;
      EXPECT_GE(spent.asked, 291U) << preset << " on " << stream;
      EXPECT_LE(spent.widest_gap, 600) << preset << " on " << stream;
    }
  }
}

/// A run of an audited sampler over a stream.
struct Audited {
  Tally tally{};
  std::uint64_t uncovered = 0;       ///< rounds without an audit
  std::uint64_t first_covered = 0;   ///< the first round with an audit
  std::uint64_t most_in_period = 0;  ///< labels
};
Audited audit(const std::string& preset, const Spending& spending, std::uint64_t seed,
              std::uint64_t rounds_in_period = 0) {
  SamplerConfig config = parse_preset(preset);
  config.spending = spending;
  const auto generator = make_generator(drifting);
  const auto sampler = make_sampler(config, {.key = {.seed = seed}, .dimension = 40});
  Audited audited;
  std::uint64_t before = 0;
  Examples row;
  for (std::uint64_t t = 1; t <= generator->rounds(); ++t) {
    row.clear();
    generator->add(t, row);
    if (rounds_in_period > 0) {
      if ((t - 1) % rounds_in_period == 0) before = sampler->tally().asked;
      sampler->advance_to(static_cast<std::int64_t>((t - 1) * 3600 / rounds_in_period));
    }
    const Query query = sampler->ask(row.x(0));
    if (query.audit == 0) ++audited.uncovered;
    if (query.audit > 0 && audited.first_covered == 0) audited.first_covered = t;
    if (query.asked)
      sampler->tell(row.x(0), test::is_positive(row, 0) ? Label::positive : Label::negative, query);
    audited.most_in_period = std::max(audited.most_in_period, sampler->tally().asked - before);
  }
  audited.tally = sampler->tally();
  return audited;
}

TEST(Pacer, an_audit_finds_a_label_in_every_round_if_the_end_is_known) {
  for (const char* preset : {"pa-log", "sel-p", "auto"}) {
    for (const double share : {0.005, 0.04}) {
      const LabelBudget budget{.kind = LabelBudget::Kind::share, .amount = 0.05, .horizon = 6000};
      double taken = 0;
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Audited audited = audit(preset, {.budget = budget, .audit = share}, seed);
        EXPECT_EQ(audited.uncovered, 0U) << preset << ", audit " << share << ", seed " << seed;
        EXPECT_LE(audited.tally.asked, 300U);
        EXPECT_GE(audited.tally.asked, 294U) << preset << ", audit " << share << ", seed " << seed;
        taken += static_cast<double>(audited.tally.audited);
      }
      test::expect_share(taken, 5 * 6000, share);
    }
  }
}

TEST(Pacer, an_audit_finds_a_label_in_nearly_every_round_if_the_end_is_unknown) {
  for (const double share : {0.005, 0.01, 0.04}) {
    const Spending spending{.budget = {.kind = LabelBudget::Kind::share, .amount = 0.05}, .audit = share};
    std::uint64_t uncovered = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Audited audited = audit("pa-log", spending, seed);
      EXPECT_EQ(audited.first_covered, 20U) << "a share of 5% gives its first label in round 20";
      EXPECT_LE(audited.tally.asked, 300U);
      EXPECT_GE(audited.tally.asked, 275U);
      uncovered += audited.uncovered - 19;
    }
    EXPECT_LE(uncovered, 5 * 30U) << "one round in 200, audit " << share;
  }
}

TEST(Pacer, an_audit_finds_a_label_in_nearly_every_round_of_a_period) {
  const Spending spending{.budget = parse_budget("50/hour"), .audit = 0.01};
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Audited audited = audit("pa-log", spending, seed, 1000);
    EXPECT_EQ(audited.uncovered, 0U) << "seed " << seed;
    EXPECT_LE(audited.most_in_period, 50U);
    EXPECT_GE(audited.tally.asked, 270U);
  }
}

TEST(SpendingPlan, a_plan_of_an_earlier_version_sets_nothing_aside) {
  for (const auto plan : {LabelBudget::Plan::even, LabelBudget::Plan::early}) {
    const LabelBudget budget{
        .kind = LabelBudget::Kind::count, .amount = 400, .horizon = 20'000, .plan = plan};
    EXPECT_EQ(credit_after(SpendingPlan(budget, 0.01), 5'000), credit_after(SpendingPlan(budget), 5'000));
    EXPECT_EQ(credit_after(SpendingPlan(budget, 0.01), 20'000), 400);
  }
  const LabelBudget budget{.kind = LabelBudget::Kind::count, .amount = 400, .horizon = 20'000};
  // 151 labels for the audit of 15,100 rounds: the rule has 20 + (249 - 24.9) f^a or so.
  EXPECT_NEAR(credit_after(SpendingPlan(budget, 0.01), 4'900), 24.9 + 224.1 / 2, 0.01);
}

TEST(Pacer, lazy_and_exact_samplers_decide_the_same) {
  for (const char* rule : {"margin", "dgs", "variance"}) {
    SamplerConfig config{.learner = parse_learner("second-order"), .rule = parse_rule(rule)};
    config.spending.budget = {.kind = LabelBudget::Kind::share, .amount = 0.1};
    const auto lazy = make_sampler(config, {.dimension = 40}, Exactness::lazy);
    const auto exact = make_sampler(config, {.dimension = 40}, Exactness::exact);
    const auto generator = make_generator(drifting);
    Examples row;
    for (std::uint64_t t = 1; t <= generator->rounds(); ++t) {
      row.clear();
      generator->add(t, row);
      const Label y = test::is_positive(row, 0) ? Label::positive : Label::negative;
      const Query one = lazy->ask(row.x(0));
      const Query other = exact->ask(row.x(0));
      ASSERT_EQ(one.asked, other.asked) << rule << ", round " << t;
      if (one.asked) lazy->tell(row.x(0), y, one);
      if (other.asked) exact->tell(row.x(0), y, other);
    }
    EXPECT_LE(lazy->tally().spreads, exact->tally().spreads);
    if (std::string_view(rule) == "margin") {
      EXPECT_LT(lazy->tally().spreads, 5000U);
    }
  }
}

/// Lazy samplers pass quickly over rounds in which the pacer has nothing to do; exact samplers never do.
TEST(Pacer, lazy_and_exact_samplers_of_first_order_have_the_same_state_after_many_rounds) {
  for (const char* preset : {"sel-p", "pa-log"}) {
    for (const char* budget : {"300", "5%", "40%", "9/hour"}) {
      SamplerConfig config = parse_preset(preset);
      config.spending.budget = parse_budget(budget);
      if (config.spending.budget.kind != LabelBudget::Kind::period) config.spending.budget.horizon = 20'000;
      const auto lazy = make_sampler(config, {.dimension = 20}, Exactness::lazy);
      const auto exact = make_sampler(config, {.dimension = 20}, Exactness::exact);
      const auto generator = make_generator("synthetic:shifting-gaussian:d=20,n=22000");
      Examples row;
      for (std::uint64_t t = 1; t <= generator->rounds(); ++t) {
        row.clear();
        generator->add(t, row);
        const Label y = test::is_positive(row, 0) ? Label::positive : Label::negative;
        for (AnySampler* sampler : {lazy.get(), exact.get()}) {
          sampler->advance_to(static_cast<std::int64_t>(t));
          const Query query = sampler->ask(row.x(0));
          if (query.asked) sampler->tell(row.x(0), y, query);
        }
      }
      Snapshot one;
      Snapshot other;
      lazy->save(one, "");
      exact->save(other, "");
      EXPECT_EQ(one, other) << preset << " with " << budget;
      EXPECT_GT(lazy->tally().asked, 40U) << preset << " with " << budget;
    }
  }
}

TEST(Pacer, a_number_of_given_rank_is_that_of_the_sorted_numbers) {
  std::mt19937_64 random(5);
  for (const std::size_t size : {1U, 2U, 3U, 10U, 512U}) {
    for (const std::uint64_t different : {1U, 3U, 1000U}) {  // values: many are equal, or few
      std::vector<double> numbers(size);
      for (double& number : numbers) number = static_cast<double>(random() % different);
      std::vector<double> sorted = numbers;
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t k = 0; k < size; ++k) ASSERT_EQ(kth_smallest(numbers, k), sorted[k]) << size;
    }
  }
}

TEST(Pacer, looks_at_the_newest_score_if_there_are_few_and_it_is_far_behind) {
  Spending spending{.budget = parse_budget("1000")};
  spending.budget.horizon = 2000;  // 100 labels at once: the rule, which asks for none, is far behind
  Pacer pacer(spending, 1);
  pacer.next_round();
  for (const double margin : {5.0, 2.0}) pacer.remember({.margin = margin, .norm = 1, .spread = 1}, margin);
  double scale = 1;
  pacer.look([&](double tried) { scale = tried; },
             [&](const Score& score) { return score.margin <= scale ? 1.0 : 0.0; });
  EXPECT_NEAR(std::log(pacer.scale()), std::log(2) + 2.5, 0.01) << "the level of the newest score, and haste";
}

TEST(Pacer, an_audit_that_the_budget_cannot_pay_for_is_refused) {
  const auto pace = [](const char* budget, std::uint64_t horizon) {
    Spending spending{.budget = parse_budget(budget), .audit = 0.05};
    spending.budget.horizon = horizon;
    return Pacer(spending, 1);
  };
  EXPECT_NO_THROW(pace("20", 200));
  EXPECT_THROW(pace("20", 1000), ConfigError) << "the audit costs more labels than the budget has";
  EXPECT_THROW(pace("20", 0), ConfigError) << "an endless stream exhausts every count";
  EXPECT_NO_THROW(pace("10%", 0));
  EXPECT_NO_THROW(pace("20/day", 0));
}

TEST(Pacer, a_rule_without_a_scale_refuses_a_budget) {
  SamplerConfig config = parse_preset("perc");
  config.spending.budget = parse_budget("5%");
  EXPECT_THROW(make_sampler(config, {}), ConfigError);
}

}  // namespace
}  // namespace askfew
