#include "askfew/estimates/mistake_forecast.h"

#include <gtest/gtest.h>

#include "askfew/core/errors.h"
#include "askfew/core/snapshot.h"

namespace askfew {
namespace {

/// Small margins are wrong half of the time, large margins never.
void teach(MistakeForecast& forecast, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t round = from + 1; round <= to; ++round) {
    const double margin = round % 2 == 0 ? 0.1 : 3;
    const bool wrong = round % 4 == 0;
    forecast.add(round, margin);
    forecast.learn(round, Label::positive, margin, wrong);
  }
}

Snapshot saved(const MistakeForecast& forecast) {
  Snapshot snapshot;
  SnapshotWriter(snapshot, "")("forecast", forecast);
  return snapshot;
}

TEST(MistakeForecast, the_forecast_tends_to_the_share_of_mistakes_at_such_margins) {
  MistakeForecast forecast;
  teach(forecast, 0, 2000);
  EXPECT_NEAR(forecast.of(2001, Label::positive, 0.1), 0.5, 0.01);
  EXPECT_NEAR(forecast.of(2001, Label::positive, 3), 0, 0.01);
}

TEST(MistakeForecast, where_no_label_was_seen_the_forecast_follows_the_margins_of_all_labels) {
  MistakeForecast steep;
  teach(steep, 0, 2000);
  MistakeForecast flat;
  MistakeForecast earlier(ForecastKind::earlier);
  for (std::uint64_t round = 1; round <= 2000; ++round) {
    const double margin = round % 2 == 0 ? 0.1 : 3;
    flat.add(round, margin);
    flat.learn(round, Label::positive, margin, round % 4 < 2);
    earlier.add(round, margin);
    earlier.learn(round, Label::positive, margin, round % 4 < 2);
  }
  EXPECT_LT(steep.of(2001, Label::negative, 3), 0.02);
  EXPECT_GT(flat.of(2001, Label::negative, 3), 0.2);
  const double z = (5 + 0.5) / 8;  // 3/(3 + 1.55) is in the sixth of 8 bins
  EXPECT_DOUBLE_EQ(earlier.of(2001, Label::negative, 3), (1 - z) / 2);
}

TEST(MistakeForecast, the_forecast_of_a_round_never_changes_afterwards) {
  MistakeForecast forecast;
  std::vector<double> before;
  for (std::uint64_t round = 1; round <= 500; ++round) {
    before.push_back(forecast.of(round, Label::positive, 1));
    teach(forecast, round - 1, round);
  }
  for (std::uint64_t round = 1; round <= 500; ++round) {
    ASSERT_EQ(forecast.of(round, Label::positive, 1), before[round - 1]) << round;
  }
  EXPECT_NE(before.front(), before.back());
}

TEST(MistakeForecast, a_label_that_is_taken_back_leaves_no_trace) {
  MistakeForecast plain;
  MistakeForecast corrected;
  teach(plain, 0, 100);
  teach(corrected, 0, 100);
  corrected.learn(90, Label::negative, 0.4, true);
  corrected.unlearn(90, Label::negative, 0.4, true);
  EXPECT_EQ(saved(corrected), saved(plain));
}

TEST(MistakeForecast, huge_and_zero_margins_give_forecasts_from_0_to_one_half) {
  MistakeForecast forecast;
  for (std::uint64_t round = 1; round <= 300; ++round) {
    const double margin = round % 2 == 0 ? 1e308 : 0;
    const double q = forecast.of(round, Label::negative, margin);
    ASSERT_TRUE(q >= 0 && q <= MistakeForecast::largest) << q;
    forecast.add(round, margin);
    forecast.learn(round, Label::negative, margin, true);
  }
  EXPECT_EQ(find_not_finite(saved(forecast)), "");
}

TEST(MistakeForecast, a_snapshot_goes_on_bit_for_bit) {
  MistakeForecast whole;
  teach(whole, 0, 150);
  MistakeForecast resumed;
  SnapshotReader(saved(whole), "")("forecast", resumed);
  teach(whole, 150, 1000);
  teach(resumed, 150, 1000);
  EXPECT_EQ(saved(resumed), saved(whole));
}

TEST(MistakeForecast, impossible_periods_are_refused) {
  MistakeForecast forecast;
  teach(forecast, 0, 90);
  for (const std::pair<std::size_t, double>& wrong :
       {std::pair<std::size_t, double>{0, 1}, {1, 0}, {2, 0.7}, {3, -1}, {18, 0}, {18, 1e300}}) {
    Snapshot snapshot = saved(forecast);
    std::vector<double> values;
    SnapshotReader(snapshot, "forecast.")("periods", values);
    ASSERT_EQ(values.size(), 36);
    values[wrong.first] = wrong.second;
    SnapshotWriter(snapshot, "forecast.")("periods", values);
    EXPECT_THROW(SnapshotReader(snapshot, "")("forecast", forecast), ModelError) << wrong.first;
  }
  Snapshot snapshot = saved(forecast);
  SnapshotWriter(snapshot, "forecast.")("periods", std::vector<double>(17, 0.0));
  EXPECT_THROW(SnapshotReader(snapshot, "")("forecast", forecast), ModelError);
}

}  // namespace
}  // namespace askfew
