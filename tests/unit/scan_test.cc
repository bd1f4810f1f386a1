#include "askfew/streams/scan.h"

#include <gtest/gtest.h>

#include "tests/unit/reading.h"

namespace askfew {
namespace {

using test::gzip;
using test::TemporaryFile;

std::optional<std::uint64_t> counted(const std::string& bytes, const StreamOptions& options = {}) {
  const TemporaryFile file(bytes);
  return count_examples({&file.path(), 1}, options);
}

TEST(CountExamples, lines_are_counted_without_blank_ones_and_comments) {
  EXPECT_EQ(counted("+1 1:0.5 # comment\n\n  # only a comment\n-1\r\n \t\r\n 2:1"), 3);
  EXPECT_EQ(counted("1 |a b:2\n\n-1 | c\n"), 2);
  EXPECT_EQ(counted("{\"x\": [1, 2], \"label\": 1}\n\n{\"x\": [1, 3], \"label\": 0}\n"), 2);
  EXPECT_EQ(counted("a,b,label\n1,2,0\n3,4,1\n\n5,6,1"), 3);
  std::string many;
  for (int k = 0; k < 10'000; ++k) many += "-1 3:0.25 17:1\n";
  EXPECT_EQ(counted(many, {.chunk = 100}), 10'000);
}

TEST(CountExamples, files_are_counted_together) {
  const TemporaryFile one("a,b,label\n1,2,0\n3,4,1\n");
  const TemporaryFile other("a,b,label\n5,6,1\n");
  const std::vector<std::string> paths{one.path(), other.path()};
  EXPECT_EQ(count_examples(paths, {}), 3);
}

TEST(CountExamples, only_a_parser_can_tell_in_other_cases) {
  EXPECT_EQ(counted("text,label\n\"one\ntwo three\",0\nfour five,1\n"), std::nullopt);
  EXPECT_EQ(counted(gzip("+1 1:0.5\n")), std::nullopt);
  EXPECT_EQ(counted("+1 1:0.5\n", {.unlabelled = Unlabelled::skipped}), std::nullopt);
  EXPECT_EQ(counted("+1 1:0.5\n", {.skipped = std::make_shared<Skipped>()}), std::nullopt);
  const std::string pipe = "-";
  EXPECT_EQ(count_examples({&pipe, 1}, {}), std::nullopt);
}

TEST(Scan, finds_dimension_and_labels) {
  const TemporaryFile file("3,17 5:1\n 2:1\n1 9:1\n");
  const auto stream = open_stream(file.path(), {});
  const auto found = scan(*stream);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->examples, 3);
  EXPECT_EQ(found->dimension, 9);
  EXPECT_EQ(found->labels, (std::map<Examples::LabelId, std::uint64_t>{{1, 1}, {3, 1}, {17, 1}}));
}

}  // namespace
}  // namespace askfew
