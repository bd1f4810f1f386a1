#include "askfew/streams/ordered_stream.h"

#include "askfew/features/feature_state.h"

#include "tests/unit/reading.h"

namespace askfew {
namespace {

using test::TemporaryFile;

/// A row of the streams below: x is a number that identifies its line and file.
struct Row {
  std::string file;
  std::uint64_t line;
  double x;

  bool operator==(const Row&) const = default;
};

std::vector<Row> rows_of(Stream& stream) {
  std::vector<Row> rows;
  Examples block;
  for (auto more = stream.next(block); more.value_or(false); more = stream.next(block)) {
    EXPECT_GT(block.size(), 0U);
    for (std::size_t row = 0; row < block.size(); ++row)
      rows.push_back({stream.name(), block.line(row), block.x(row).values()[0]});
  }
  return rows;
}

std::string line(double x, const std::string& time) {
  return "{\"x\": [" + std::to_string(x) + "], \"time\": " + time + ", \"label\": 1}\n";
}

TEST(OrderedStream, OrdersTheExamplesOfAllFilesAndKeepsTheirPlaces) {
  const TemporaryFile a(line(1, "30") + line(2, "10") + line(3, "20"), "a");
  const TemporaryFile b(line(4, "15") + line(5, "10") + line(6, "-5") + line(7, "\"1970-01-01T00:00:40Z\""),
                        "b");
  const std::vector<std::string> paths{a.path(), b.path()};
  const auto stream = open_stream(paths, {.order = Order::time});
  EXPECT_EQ(stream->facts().dimension, 1U);
  EXPECT_EQ(stream->facts().label_kind, LabelKind::binary);
  EXPECT_EQ(stream->label_name(stream->label_id("1")), "1");
  EXPECT_EQ(rows_of(*stream), (std::vector<Row>{{b.path(), 3, 6},
                                                {a.path(), 2, 2},
                                                {b.path(), 2, 5},
                                                {b.path(), 1, 4},
                                                {a.path(), 3, 3},
                                                {a.path(), 1, 1},
                                                {b.path(), 4, 7}}));
}

TEST(OrderedStream, IsStableOverManyBlocks) {
  std::string lines;
  for (int k = 0; k < 10'000; ++k) lines += line(k, std::to_string(k * 7919 % 3));
  const TemporaryFile file(lines);
  std::vector<Row> expected[3];
  for (int k = 0; k < 10'000; ++k)
    expected[k * 7919 % 3].push_back(
        {file.path(), static_cast<std::uint64_t>(k) + 1, static_cast<double>(k)});
  std::vector<Row> all;
  for (const auto& part : expected) all.insert(all.end(), part.begin(), part.end());
  EXPECT_EQ(rows_of(*open_stream(file.path(), {.order = Order::time})), all);
}

TEST(OrderedStream, AnExampleWithoutTimeIsAnError) {
  const std::string lines = line(1, "1") + "\n" + line(2, "null") + line(3, "0");
  const TemporaryFile file(lines);
  Examples block;
  const auto stopped = open_stream(file.path(), {.order = Order::time})->next(block);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().file, file.path());
  EXPECT_EQ(stopped.error().line, 3U);
  EXPECT_EQ(stopped.error().column, 1U);
  EXPECT_EQ(stopped.error().why, "the example has no time to sort by");

  const auto skipped = std::make_shared<Skipped>();
  EXPECT_EQ(rows_of(*open_stream(file.path(), {.order = Order::time, .skipped = skipped})),
            (std::vector<Row>{{file.path(), 4, 3}, {file.path(), 1, 1}}));
  EXPECT_EQ(skipped->count, 1U);
}

TEST(OrderedStream, AnErrorComesBeforeAnyExample) {
  const TemporaryFile file(line(1, "1") + "{\n");
  Examples block;
  const auto stream = open_stream(file.path(), {.order = Order::time});
  for (int k = 0; k < 2; ++k) {
    const auto more = stream->next(block);
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().line, 2U);
    EXPECT_EQ(block.size(), 0U);
  }
}

TEST(OrderedStream, ADictionaryDoesNotDependOnHowTheFileWasCut) {
  std::string lines;
  for (int k = 0; k < 500; ++k) {
    lines += "{\"text\": \"w" + std::to_string(k % 7) + " v" + std::to_string(k) + " u" +
             std::to_string(k / 3) + "\", \"time\": " + std::to_string(k * 7919 % 500) + ", \"label\": 1}\n";
  }
  const TemporaryFile file(lines);
  const auto numbers = [&](std::size_t chunk) {
    const StreamOptions options{
        .features = {.text = {.dictionary = true}, .bias = 1}, .order = Order::time, .chunk = chunk};
    const auto stream = open_stream(file.path(), options);
    FeatureState state(options.features);
    std::vector<FeatureView::Index> all;
    Examples block;
    for (auto more = stream->next(block); more.value_or(false); more = stream->next(block)) {
      state.finish(block, 0, block.size());
      for (std::size_t row = 0; row < block.size(); ++row) {
        const FeatureView x = block.x(row);
        all.insert(all.end(), x.indices(), x.indices() + x.size());
      }
    }
    EXPECT_EQ(state.words().size(), 7U + 500 + 167);
    return all;
  };
  const auto expected = numbers(1 << 18);
  EXPECT_EQ(expected.size(), 4U * 500);
  EXPECT_EQ(expected[3], 3U) << "the first example has the first words";
  EXPECT_EQ(numbers(1), expected);
  EXPECT_EQ(numbers(1000), expected);
}

TEST(OrderedStream, GivesNothingAfterAStop) {
  const TemporaryFile file(line(1, "1") + line(2, "2"));
  const std::atomic<bool> stop = true;
  Examples block;
  EXPECT_FALSE(open_stream(file.path(), {.order = Order::time, .stop = &stop})->next(block).value());
}

TEST(OrderedStream, AnEmptyFileHasNoExamples) {
  const TemporaryFile file("");
  Examples block;
  EXPECT_FALSE(open_stream(file.path(), {.format = "jsonl", .order = Order::time})->next(block).value());
}

}  // namespace
}  // namespace askfew
