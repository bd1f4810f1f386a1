// What a pacer computes in advance or puts off must not show: not in its decisions, not in its saved state.

#include <gtest/gtest.h>

#include "askfew/catalog/catalog.h"
#include "askfew/core/snapshot.h"
#include "askfew/spending/spending_plan.h"

#include "tests/unit/synthetic.h"

namespace askfew {
namespace {

Snapshot state_of(const SpendingPlan& plan) {
  Snapshot snapshot;
  SnapshotWriter(snapshot, "")("plan", plan);
  return snapshot;
}

TEST(SpendingPlan, an_allowance_that_is_put_off_is_saved_as_if_it_were_computed) {
  for (const std::uint64_t horizon : {0U, 3000U}) {
    for (const auto kind : {LabelBudget::Kind::share, LabelBudget::Kind::count}) {
      const double amount = kind == LabelBudget::Kind::share ? 0.1 : 300;
      SpendingPlan hurried({.kind = kind, .amount = amount, .horizon = horizon});
      SpendingPlan lazy = hurried;
      for (std::uint64_t t = 1; t <= 4000; ++t) {
        hurried.next_round();
        lazy.next_round();
        if (t % 3 == 0) continue;
        if (t % 8 == 0) lazy.prepare(t + 8);
        hurried.plan();
        const bool has_two = hurried.credit() >= 2;
        ASSERT_EQ(lazy.allows(2), has_two) << t;
        ASSERT_EQ(state_of(lazy), state_of(hurried)) << t;
        if (has_two && t % 5 == 0) {
          hurried.spend();
          lazy.spend();
        }
      }
      EXPECT_GT(hurried.spent(), 100U);
    }
  }
}

/// A sampler that is saved after so many rounds and one that loads this end alike. Returns the labels asked.
std::uint64_t go_on(const SamplerConfig& config, FeatureView::Index dimension, const std::string& stream,
                    std::uint64_t saved_after) {
  const auto saved = make_sampler(config, {.dimension = dimension});
  const auto loaded = make_sampler(config, {.dimension = dimension});
  const auto generator = make_generator(stream);
  Examples row;
  for (std::uint64_t t = 1; t <= generator->rounds(); ++t) {
    row.clear();
    generator->add(t, row);
    const Label y = test::is_positive(row, 0) ? Label::positive : Label::negative;
    for (AnySampler* sampler : {saved.get(), loaded.get()}) {
      // Before it is loaded, the other sampler is used in another way.
      if (sampler == loaded.get() && t <= saved_after && t % 2 == 0) continue;
      const Query query = sampler->ask(row.x(0));
      if (query.asked) sampler->tell(row.x(0), y, query);
    }
    if (t == saved_after) {
      Snapshot snapshot;
      saved->save(snapshot, "");
      loaded->load(snapshot, "");
    }
  }
  Snapshot one;
  Snapshot other;
  saved->save(one, "");
  loaded->save(other, "");
  EXPECT_EQ(one, other) << "saved after " << saved_after;
  return saved->tally().asked;
}

TEST(Pacer, a_loaded_sampler_goes_on_as_the_saved_one) {
  for (const char* preset : {"pa-log", "sel-p", "auto", "ssnl"}) {
    for (const std::uint64_t saved_after : {5U, 300U, 4096U, 5003U}) {
      SCOPED_TRACE(preset);
      SamplerConfig config = parse_preset(preset);
      config.spending.budget = {.kind = LabelBudget::Kind::share, .amount = 0.1, .horizon = 6000};
      EXPECT_GT(go_on(config, 20, "synthetic:shifting-gaussian:d=20,n=6000", saved_after), 500U);
    }
  }
}

/// In a long run the scale changes ever less often, and at the end more often again.
TEST(Pacer, a_loaded_sampler_goes_on_as_the_saved_one_in_a_long_run) {
  for (const std::uint64_t saved_after : {17'001U, 34'567U, 39'100U}) {
    SamplerConfig config = parse_preset("pa-log");
    config.spending.budget = {.kind = LabelBudget::Kind::count, .amount = 2000, .horizon = 40'000};
    const std::uint64_t asked = go_on(config, 5, "synthetic:linear-noise:d=5,n=40000", saved_after);
    EXPECT_GE(asked, 1940U);
    EXPECT_LE(asked, 2000U);
  }
}

}  // namespace
}  // namespace askfew
