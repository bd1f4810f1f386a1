#include "askfew/streams/formats/svmlight/svmlight.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

#include "askfew/streams/formats/svmlight/svmlight_parser.h"
#include "askfew/streams/scan.h"

#include "tests/parsing.h"
#include "tests/unit/reading.h"

namespace askfew {
namespace {

using test::error_of;
using test::read_all;
using test::TemporaryFile;

LabelKind kind_of(const std::string& bytes) {
  const TemporaryFile file(bytes);
  return open_stream(file.path(), {})->facts().label_kind;
}

TEST(Svmlight, labels_1_and_2_are_detected_in_the_first_lines) {
  EXPECT_EQ(kind_of("1 1:1\n2 2:1\n1 1:1\n"), LabelKind::one_two);
  EXPECT_EQ(kind_of("2 1:1\n"), LabelKind::one_two);
  EXPECT_EQ(kind_of("2.0 1:1\n1.0 1:1\n"), LabelKind::one_two);
  EXPECT_EQ(kind_of("1 1:1\n1 2:1\n"), LabelKind::binary);
  EXPECT_EQ(kind_of("1 1:1\n2 2:1\n-1 1:1\n"),
            LabelKind::binary);  // an error in the data, which the run will report
  EXPECT_EQ(kind_of("1 1:1\n2 2:1\n3 1:1\n"), LabelKind::binary);
  EXPECT_EQ(kind_of("1 1:1\n2 2:1\n1,2 1:1\n"), LabelKind::topics);
  EXPECT_EQ(kind_of("1 1:1\n# 3 1:1\n\n 7:1\n2 1:1"), LabelKind::one_two);
}

TEST(Svmlight, a_label_at_the_end_of_the_peeked_bytes_is_ignored) {
  std::string text;
  while (text.size() < (1U << 16) - 3) text += "1 1:1\n";
  text.resize((1U << 16) - 1, ' ');
  text.back() = '\n';
  EXPECT_EQ(kind_of(text + "2"), LabelKind::binary);
}

TEST(Svmlight, qid_after_the_labels_is_skipped) {
  const auto read = read_all("3 qid:17 1:0.5 2:1 #docid = 4\n1  qid:18  4:2\n2,3 qid:1\n qid:5 1:1\n");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 4);
  EXPECT_EQ(read->x(0).size(), 2);
  EXPECT_EQ(read->x(0).values()[0], 0.5);
  EXPECT_EQ(read->x(1).indices()[0], 3);
  EXPECT_EQ(read->x(2).size(), 0);
  EXPECT_EQ(read->labels(2).size(), 2);
  EXPECT_TRUE(read->labels(3).empty());
}

struct Malformed {
  const char* text;
  std::size_t column;
  const char* says;
};
class SvmlightQid : public testing::TestWithParam<Malformed> {};

TEST_P(SvmlightQid, error_names_line_and_column) {
  const ParseError error = error_of(std::string("1 1:1\n") + GetParam().text + "\n");
  EXPECT_EQ(error.line, 2);
  EXPECT_EQ(error.column, GetParam().column) << error.why;
  EXPECT_NE(error.why.find(GetParam().says), std::string::npos) << error.why;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, SvmlightQid,
    testing::Values(Malformed{"1 qid:x 1:1", 3, "'qid:x' is not qid: and a whole number"},
                    Malformed{"1 qid: 1:1", 3, "whole number"}, Malformed{"1 qid:1.5 1:1", 3, "whole number"},
                    Malformed{"1 qid:-1 1:1", 3, "whole number"}, Malformed{"1 1:1 qid:1", 7, "index:value"},
                    Malformed{"1 qid:1 qid:2", 9, "index:value"}, Malformed{"qid:1 1:1", 1, "label"}));

TEST(Svmlight, indices_from_0_are_read_if_the_base_is_0) {
  const auto read = read_all("1 0:5 1:6 7:0.125\n-1 0:1\n", {.dimension = 8, .index_base = 0});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->x(0).indices()[0], 0);
  EXPECT_EQ(read->x(0).indices()[2], 7);
  EXPECT_EQ(read->x(1).extent(), 1);
  const ParseError beyond = error_of("1 0:5 8:1\n", {.dimension = 8, .index_base = 0});
  EXPECT_EQ(beyond.column, 7);
  EXPECT_NE(beyond.why.find("accepted: 0 to 7"), std::string::npos) << beyond.why;
  EXPECT_NE(error_of("1 0:1\n").why.find("accepted: 1 to 134217728"), std::string::npos);
  EXPECT_TRUE(read_all("1 134217727:1\n", {.index_base = 0}));
  EXPECT_NE(error_of("1 134217728:1\n", {.index_base = 0}).why.find("0 to 134217727"), std::string::npos);
}

TEST(Svmlight, an_index_0_is_detected_in_the_first_lines) {
  EXPECT_TRUE(has_index_0("1 1:1\n-1 0:1 2:1\n"));
  EXPECT_TRUE(has_index_0(" 0:1\n"));
  EXPECT_TRUE(has_index_0("1 qid:3 0:1\n"));
  EXPECT_FALSE(has_index_0("0 1:0\n"));
  EXPECT_FALSE(has_index_0("1 10:0 20:0\n"));
  EXPECT_FALSE(has_index_0("1 1:1 # 0:1\n# 0:1\n"));
  EXPECT_FALSE(has_index_0("1 qid:0 1:1\n"));
  EXPECT_FALSE(has_index_0("1 0"));
}

TEST(Svmlight, a_constant_comes_before_the_features_and_counts_in_the_norm) {
  for (const FeatureView::Index base : {0U, 1U}) {
    const auto read = read_all("1 1:3 2:4 3:0\n-1 5:1e1\n", {.index_base = base, .features = {.bias = 2}});
    ASSERT_TRUE(read);
    ASSERT_EQ(read->x(0).size(), 3);
    EXPECT_EQ(read->x(0).indices()[0], 0);
    EXPECT_EQ(read->x(0).values()[0], 2);
    EXPECT_EQ(read->x(0).indices()[1], 2 - base);
    EXPECT_EQ(read->x(0).squared_norm(), 29);
    EXPECT_EQ(read->x(1).squared_norm(), 104);
  }
  EXPECT_EQ(error_of("1 0:1\n", {.features = {.bias = 2}}).column, 3);
}

TEST(Svmlight, usual_and_unusual_forms_of_a_line_give_the_same_example) {
  const auto usual = read_all("1 1:0.5 2:-3 9:1000\n");
  ASSERT_TRUE(usual);
  for (const char* text :
       {"1 1:0.5 2:-3 9:1000", "1 1:0.5 2:-3 9:1000\r\n", "1 1:0.5 2:-3 9:1000 \n",
        "1 1:0.5 2:-3 9:1000 \r\n", "1\t1:0.5\t2:-3\t9:1000\n", "1  1:0.5  2:-3 9:1000\n",
        "1 1:5e-1 2:-3 9:1e3\n", "+1 1:+.5 2:-3. 9:1000\n", "1 1:0.5000000000000 2:-3.000000000 9:1000.00\n",
        "1 1:0.5 2:-3 9:1000 # 1:1\n", "1 1:0.5 2:-3 9:1000#\n",
        "1 1:0.5 2:-3 3:0 4:-0 5:0.0 9:1000 10:0e7\n", "01 01:0.5 000000002:-3 09:1000\n",
        "1.0 1:0.5 2:-3 9:1000\n", "1 qid:7 1:0.5 2:-3 9:1000\n"}) {
    const auto read = read_all(text);
    ASSERT_TRUE(read) << text;
    EXPECT_TRUE(test::same(*read, *usual)) << text;
    EXPECT_EQ(read->x(0).squared_norm(), usual->x(0).squared_norm()) << text;
  }
}

void expect_same(const std::string& text, const SvmlightIndices& indices, double bias) {
  const ParsedChunk fast = test::parsed(
      text, bias, [&](const Chunk& chunk, ParsedChunk& out) { SvmlightParser(indices).parse(chunk, out); });
  ASSERT_TRUE(test::same(fast, test::careful_svmlight(text, indices, bias))) << text.substr(0, 300);
}

TEST(SvmlightParser, agrees_with_the_careful_reader_on_any_text) {
  constexpr std::string_view pieces[] = {
      " ",   "  ", "\t",  "\n",    "\n\n",  "\r\n", "#",     ":",    "1 ",
      "-1 ", "3,", "1:1", " 2:",   " 10:",  " 0:1", "0.125", "-7.5", "1e-3",
      ".",   "-",  "+",   "12345", "qid:1", "x",    " 7:0 ", "nan",  "0.1234567890123"};
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 10'000; ++trial) {
    std::string text;
    for (std::size_t k = random() % 40; k-- > 0;) text += pieces[random() % std::size(pieces)];
    expect_same(text, {.base = trial % 2 == 0 ? 1U : 0U, .dimension = trial % 3 == 0 ? 11U : 0U},
                trial % 5 == 0 ? 0.5 : 0);
  }
}

TEST(SvmlightParser, agrees_with_the_careful_reader_on_slightly_malformed_text) {
  std::mt19937_64 random(2);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int trial = 0; trial < 3'000; ++trial) {
    std::string text;
    for (std::size_t lines = 1 + below(4); lines-- > 0;) {
      text += below(2) == 0 ? "+1" : "-1";
      std::size_t index = 0;
      for (std::size_t pairs = below(30); pairs-- > 0;) {
        index += 1 + below(9);
        text += fmt::format(" {}:{:.{}f}", index, 0.001 * static_cast<double>(below(20'000)) - 10, below(8));
      }
      text += '\n';
    }
    for (std::size_t edits = below(3); edits-- > 0;) {
      constexpr std::string_view bytes = "0123456789 :.-\n\r\t#e";
      text[below(text.size())] = bytes[below(bytes.size())];
    }
    expect_same(text, {}, 0);
  }
}

TEST(SvmlightParser, reads_lines_that_are_longer_than_its_buffer_of_marks) {
  std::string longest = "1";
  for (int index = 1; longest.size() < 3 * max_marked; ++index) longest += fmt::format(" {}:0.25", index);
  std::string text = "-1 1:1\n" + longest + "\n-1 2:1\n" + longest + "\n";
  for (int k = 0; k < 40'000; ++k) text += "1 1:1 2:0.5\n";
  expect_same(text + longest, {}, 0);
}

}  // namespace
}  // namespace askfew
