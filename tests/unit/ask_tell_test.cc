#include "askfew/models/ask_tell.h"

#include <gtest/gtest.h>
#include <limits>

#include "askfew/core/errors.h"
#include "askfew/models/model_file.h"
#include "askfew/streams/memory/memory_stream.h"

namespace askfew {
namespace {

/// Rows of three numbers, every fifth of them zero, and their labels.
struct Data {
  std::vector<double> dense;
  std::vector<std::int32_t> begins{0};
  std::vector<std::int32_t> indices;
  std::vector<double> values;
  std::vector<Label> labels;

  explicit Data(int rows) {
    for (int row = 1; row <= rows; ++row) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) {
        const double value = (row + k) % 5 == 0 ? 0 : (row * (7919 + 104 * k) % 101 - 50) / 50.0;
        dense.push_back(value);
        sum += value * (k - 0.5);
        if (value == 0) continue;
        indices.push_back(k);
        values.push_back(value);
      }
      begins.push_back(static_cast<std::int32_t>(indices.size()));
      labels.push_back(sgn(sum));
    }
  }
  [[nodiscard]] std::size_t size() const { return labels.size(); }
  [[nodiscard]] std::span<const double> row(std::size_t k) const {
    return std::span(dense).subspan(3 * k, 3);
  }
};

AskTell sampler(const std::string& preset, const FeatureOptions& features = {}) {
  ModelConfig config;
  config.sampler = parse_preset(preset);
  config.features = features;
  return AskTell(make_model(config, {.exactness = Exactness::exact}));
}

struct Decision {
  double margin = 0;
  bool asked = false;
  bool updated = false;

  bool operator==(const Decision&) const = default;
};

std::vector<Decision> decisions(AskTell& live, MemoryRows& rows, std::span<const Label> labels) {
  std::vector<Decision> all;
  const RunLoopOptions options{.trace = [&](std::size_t, const Round& round) {
    all.push_back({round.query.score.margin, round.query.asked, round.updated});
  }};
  EXPECT_EQ(live.run(rows, labels, {}, options), labels.size());
  return all;
}

TEST(AskTell, A_run_decides_as_ask_and_tell_do_and_a_peek_tells_before) {
  const Data data(700);
  DenseRows<double> rows(data.dense.data(), data.size(), 3);
  for (const std::string preset : {"sel-p", "sel-2nd", "sel-p-fixed"}) {
    AskTell whole = sampler(preset);
    const std::vector<Decision> expected = decisions(whole, rows, data.labels);
    AskTell single = sampler(preset);
    for (std::size_t k = 0; k < data.size(); ++k) {
      const FeatureView x = FeatureView::dense(data.row(k));
      Round peeked;
      std::as_const(single).peek(x, {&peeked, 1});
      Round round;
      single.ask(x, {&round, 1});
      EXPECT_EQ(peeked.query.score.margin, round.query.score.margin);
      EXPECT_EQ(peeked.query.asked, round.query.asked);
      EXPECT_EQ(peeked.query.round, round.query.round);
      const bool updated = round.query.asked && single.tell(x, number_of(data.labels[k]), 0, round);
      EXPECT_EQ((Decision{round.query.score.margin, round.query.asked, updated}), expected[k])
          << preset << " " << k;
    }
  }
}

TEST(AskTell, A_peek_changes_no_byte_of_the_model) {
  const Data data(300);
  AskTell live = sampler("sel-p");
  DenseRows<double> rows(data.dense.data(), data.size(), 3);
  decisions(live, rows, data.labels);
  const std::string before = encode_model(snapshot_of(live.model()));
  for (std::size_t k = 0; k < data.size(); ++k) {
    Round round;
    live.peek(FeatureView::dense(data.row(k)), {&round, 1});
  }
  EXPECT_EQ(encode_model(snapshot_of(live.model())), before);
}

TEST(AskTell, Labels_of_ask_and_tell_reach_the_monitor_of_an_audit) {
  const Data data(500);
  ModelConfig config;
  config.sampler = parse_preset("sel-p");
  config.sampler.spending.audit = 0.2;
  AskTell live(make_model(config, {.exactness = Exactness::exact}));
  AskTell whole(make_model(config, {.exactness = Exactness::exact}));
  DenseRows<double> rows(data.dense.data(), data.size(), 3);
  decisions(whole, rows, data.labels);
  for (std::size_t k = 0; k < data.size(); ++k) {
    const FeatureView x = FeatureView::dense(data.row(k));
    Round round;
    live.ask(x, {&round, 1});
    if (round.query.asked) live.tell(x, number_of(data.labels[k]), 0, round);
  }
  const Quality expected = whole.model().tasks[0].watch->estimate().whole();
  const Quality found = live.model().tasks[0].watch->estimate().whole();
  EXPECT_EQ(found.rounds, 500);
  EXPECT_NEAR(found.error.value, expected.error.value, 1e-12);
  EXPECT_NEAR(found.error.interval.high, expected.error.interval.high, 1e-12);
}

TEST(MemoryRows, Rows_are_used_in_place_and_give_the_same_as_copies) {
  const Data data(700);
  CsrRows<std::int32_t, double> sparse(data.begins, data.indices, data.values, 3);
  EXPECT_EQ(sparse.in_place(1)->values(), data.values.data() + data.begins[1]);
  DenseRows<double> dense(data.dense.data(), data.size(), 3);
  EXPECT_EQ(dense.in_place(2)->values(), data.dense.data() + 6);

  const std::vector<std::int64_t> begins(data.begins.begin(), data.begins.end());
  const std::vector<std::int64_t> indices(data.indices.begin(), data.indices.end());
  CsrRows<std::int64_t, double> wide(begins, indices, data.values, 3);
  EXPECT_FALSE(wide.in_place(0));
  AskTell first = sampler("sel-p");
  AskTell second = sampler("sel-p");
  EXPECT_EQ(decisions(first, sparse, data.labels), decisions(second, wide, data.labels));
  EXPECT_EQ(encode_model(snapshot_of(first.model())), encode_model(snapshot_of(second.model())));
}

TEST(MemoryRows, A_stream_of_rows_gives_the_same_as_the_rows) {
  const Data data(700);
  const FeatureOptions features{.bias = 2, .normalize = true};
  const auto rows =
      std::make_shared<CsrRows<std::int32_t, double>>(data.begins, data.indices, data.values, 3);
  auto memory = std::make_shared<MemoryData>();
  memory->rows = rows;
  for (const Label label : data.labels) memory->labels.push_back(static_cast<Examples::LabelId>(label));
  MemoryStream stream(memory, {.features = features});
  EXPECT_EQ(stream.facts().dimension, 4);
  AskTell by_rows = sampler("sel-p", features);
  const std::vector<Decision> expected = decisions(by_rows, *rows, data.labels);
  ModelConfig config = by_rows.model().config;
  Model model = make_model(config, {.exactness = Exactness::exact});
  std::vector<Decision> found;
  const RunLoopOptions options{
      .features = &model.features, .trace = [&](std::size_t, const Round& round) {
        found.push_back({round.query.score.margin, round.query.asked, round.updated});
      }};
  ASSERT_TRUE(run_loop(stream, Labelling::plain(), model.task_set(), options));
  EXPECT_EQ(found, expected);
}

TEST(MemoryRows, Malformed_rows_are_refused_with_their_number) {
  const auto why = [](auto&& act) -> std::string {
    try {
      act();
    } catch (const DataError& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::vector<double> values{1, std::numeric_limits<double>::infinity(), 2, 3};
  DenseRows<double> dense(values.data(), 2, 2);
  EXPECT_EQ(why([&] { static_cast<void>(dense.in_place(0)); }), "X[0]: value inf of feature 1 is not finite");
  const std::vector<std::int32_t> begins{0, 2, 4};
  const std::vector<std::int32_t> unsorted{0, 1, 1, 0};
  CsrRows<std::int32_t, double> sparse(begins, unsorted, values, 2);
  EXPECT_EQ(why([&] { static_cast<void>(sparse.in_place(1)); }),
            "X[1]: index 0 after 1: indices must ascend");
  CsrRows<std::int32_t, double> narrow(begins, unsorted, values, 1);
  EXPECT_EQ(why([&] { static_cast<void>(narrow.in_place(0)); }),
            "X[0]: index 1 is out of range, accepted: 0 to 0");
  const std::vector<std::int32_t> beyond{0, 9};
  CsrRows<std::int32_t, double> short_rows(beyond, unsorted, values, 2);
  EXPECT_EQ(why([&] { static_cast<void>(short_rows.in_place(0)); }),
            "X[0]: its entries [0, 9) are not among the 4 entries");
}

TEST(OneVsRest, A_followed_round_counts_what_somebody_else_has_decided) {
  const SamplerConfig config = parse_preset("sel-p");
  const auto decisions = make_decisions(config, {.key = {.seed = 1}}, Exactness::exact);
  EXPECT_TRUE(decisions->follow({.margin = 1e9, .norm = 1}, true).asked);
  EXPECT_FALSE(decisions->follow({.margin = 0, .norm = 1}, false).asked);
  EXPECT_EQ(decisions->tally().round, 2);
  EXPECT_EQ(decisions->tally().asked, 1);
}

}  // namespace
}  // namespace askfew
