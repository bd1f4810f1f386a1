#define XXH_INLINE_ALL
#include "askfew/streams/formats/vw/vw.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <xxhash.h>

#include "askfew/streams/formats/vw/vw_parser.h"

#include "tests/parsing.h"
#include "tests/unit/instruction_sets.h"
#include "tests/unit/reading.h"

namespace askfew {
namespace {

using test::error_of;
using test::read_all;
using test::TemporaryFile;

using Features = std::map<FeatureView::Index, double>;

FeatureView::Index index_of(std::string_view name_space, std::string_view name, unsigned bits = 18) {
  const std::uint64_t seed = XXH3_64bits(name_space.data(), name_space.size());
  return static_cast<FeatureView::Index>(XXH3_64bits_withSeed(name.data(), name.size(), seed)) &
         ((FeatureView::Index{1} << bits) - 1);
}

/// The features of the only example of a text.
Features features_of(const std::string& text, const StreamOptions& options = {}) {
  const auto read = read_all(text, options);
  EXPECT_TRUE(read) << text;
  if (!read) return {};
  EXPECT_EQ(read->size(), 1) << text;
  Features features;
  read->x(0).for_each([&](FeatureView::Index i, double v) { features[i] = v; });
  EXPECT_EQ(features.size(), read->x(0).size());
  return features;
}

TEST(Vw, features_are_hashed_with_their_namespace) {
  EXPECT_EQ(features_of("1 | a b:2.5 17\n"),
            (Features{{index_of("", "a"), 1}, {index_of("", "b"), 2.5}, {index_of("", "17"), 1}}));
  EXPECT_EQ(features_of("1 |text a |title a:3\n"),
            (Features{{index_of("text", "a"), 1}, {index_of("title", "a"), 3}}));
  EXPECT_EQ(features_of("1 | a\n", {.features = {.text = {.bits = 5}}}),
            (Features{{index_of("", "a", 5), 1}}));
}

TEST(VwHash, names_have_the_same_index_together_and_alone) {
  std::mt19937_64 random(4);
  with_every_instruction_set([&](std::int64_t) {
    for (int trial = 0; trial < 2000; ++trial) {
      std::string text = "12345678|";
      std::vector<Position> marks{8};
      const std::size_t longest = trial % 4 == 0 ? 20 : 8;
      for (std::size_t k = 1 + random() % 20; k-- > 0;) {
        for (std::size_t size = 1 + random() % longest; size-- > 0;)
          text += static_cast<char>(random() % 256);
        marks.push_back(static_cast<Position>(text.size()));
        text += ' ';
      }
      const VwHash hash(1 + static_cast<unsigned>(random() % 31));
      const std::uint64_t seed = trial % 3 == 0 ? VwHash::seed_of("") : random();
      const std::size_t count = marks.size() - 1;
      marks.resize(marks.size() + VwHash::spare_names, 8);
      const VwHash::Names names{.before = marks.data(), .ends = marks.data() + 1, .count = count};
      std::vector<FeatureView::Index> indices(count + VwHash::spare_names);
      ASSERT_TRUE(hash.index_all(text.data(), names, seed, indices.data()));
      for (std::size_t k = 0; k < names.count; ++k)
        ASSERT_EQ(indices[k], hash.index_of(names.name(text.data(), k), seed));
      marks[random() % count + 1] = 8;  // before its name
      EXPECT_FALSE(hash.index_all(text.data(), names, seed, indices.data()));
    }
  });
}

TEST(Vw, a_weight_multiplies_the_values_of_its_namespace) {
  EXPECT_EQ(features_of("1 |a:0.5 x:3 y |b x |c:-2 x\n"), (Features{{index_of("a", "x"), 1.5},
                                                                    {index_of("a", "y"), 0.5},
                                                                    {index_of("b", "x"), 1},
                                                                    {index_of("c", "x"), -2}}));
}

TEST(Vw, features_that_occur_twice_are_added_up) {
  EXPECT_EQ(features_of("1 | a a:2 b a:0.25 |  a\n"),
            (Features{{index_of("", "a"), 4.25}, {index_of("", "b"), 1}}));
  EXPECT_EQ(features_of("1 | a:1 a:-1 b:0\n"), Features{});
}

TEST(Vw, labels_are_binary_classes_several_or_none) {
  const auto read = read_all("1 | a\n-1 2.5 'tag| a\n0 | a\n| a\n3,17 | a\n +1 |a\n1.0 | a\n");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 7);
  const auto labels = [&](std::size_t row) {
    return std::vector<int>(read->labels(row).begin(), read->labels(row).end());
  };
  EXPECT_EQ(labels(0), std::vector{1});
  EXPECT_EQ(labels(1), std::vector{-1});
  EXPECT_EQ(labels(2), std::vector{0});
  EXPECT_TRUE(labels(3).empty());
  EXPECT_EQ(labels(4), (std::vector{3, 17}));
  EXPECT_EQ(labels(5), std::vector{1});
  EXPECT_EQ(labels(6), std::vector{1});
}

TEST(Vw, the_last_word_before_the_bar_is_a_tag_if_it_touches_the_bar_or_begins_with_a_quote) {
  const Features a{{index_of("", "a"), 1}};
  for (const char* head : {"1 tag", "1 0.5 tag", "1 'tag ", "1 1 'tag  ", "1 'tag", "tag", "'tag ", "1"}) {
    EXPECT_EQ(features_of(std::string(head) + "| a\n", {.format = "vw"}), a) << head;
  }
  const auto untold = read_all("1| a\n", {.format = "vw"});
  ASSERT_TRUE(untold);
  EXPECT_TRUE(untold->labels(0).empty());  // as in Vowpal Wabbit
}

LabelKind kind_of(const std::string& bytes) {
  const TemporaryFile file(bytes);
  return open_stream(file.path(), {.format = "vw"})->facts().label_kind;
}

TEST(Vw, the_kind_of_labels_is_detected_in_the_first_lines) {
  EXPECT_EQ(kind_of("1 | a\n-1 | b\n"), LabelKind::binary);
  EXPECT_EQ(kind_of("| a\n0 | b\n7| c"), LabelKind::binary);  // 7 is a tag
  EXPECT_EQ(kind_of("1 | a\n2 | b\n"), LabelKind::one_two);
  EXPECT_EQ(kind_of("1 | a\n2 | b\n3 | c\n"), LabelKind::classes);
  EXPECT_EQ(kind_of("1 | a\n2,3 | b\n"), LabelKind::topics);
}

TEST(Vw, is_recognized_by_the_bar_in_its_first_line) {
  for (const char* text :
       {"1 | a", "\n\n -1 2 'x|f a:1\n", "| a b\n", "'tag | a", "3 0.5 tag|a b\n", "1 |a:1 b |c\n"}) {
    EXPECT_TRUE(VwFormat::recognizes(text)) << text;
  }
  for (const char* text : {"", "1 1:1\n", "1 1:1 # a | b\n", "id|name|x\n", "1|2|3\n", "{\"a\": \"b | c\"}\n",
                           "a b | c\n", "Package: a|b\n", "1 1:1\n1 | a\n", "1;2 | a\n"}) {
    EXPECT_FALSE(VwFormat::recognizes(text)) << text;
  }
}

struct Malformed {
  const char* text;
  std::size_t column;
  const char* says;
};
class VwMalformed : public testing::TestWithParam<Malformed> {};

TEST_P(VwMalformed, error_names_line_and_column) {
  const ParseError error = error_of(std::string("1 | a\n\n") + GetParam().text + "\n1 | a\n");
  EXPECT_EQ(error.line, 3);
  EXPECT_EQ(error.column, GetParam().column) << error.why;
  EXPECT_NE(error.why.find(GetParam().says), std::string::npos) << error.why;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, VwMalformed,
    testing::Values(
        Malformed{"1 a b", 1, "no bar after '1': expected label |namespace feature:value"},
        Malformed{"x | a", 1, "label 'x' is not an integer"},
        Malformed{"0.5 | a", 1, "label '0.5' is not an integer"}, Malformed{"1, | a", 3, "is not an integer"},
        Malformed{"99999999999 | a", 1, "is not an integer"},
        Malformed{"1 x | a", 3, "importance 'x' is not a number of at least 0"},
        Malformed{"1 -1 | a", 3, "importance '-1'"}, Malformed{"1 nan | a", 3, "importance 'nan'"},
        Malformed{"1 inf | a", 3, "importance 'inf'"}, Malformed{"1 1x | a", 3, "importance '1x'"},
        Malformed{"1 1 0.5 | a", 5, "'0.5' is one word too many"},
        Malformed{"1 1 tag | a", 5, "'tag' is one word too many"},
        Malformed{"1 |:2 a", 4, "a weight without a namespace"},
        Malformed{"1 |n: a", 6, "weight '' is not a number"},
        Malformed{"1 |n:x a", 6, "weight 'x' is not a number"},
        Malformed{"1 |n:1:2 a", 6, "weight '1:2' is not a number"},
        Malformed{"1 |n:inf a", 6, "weight 'inf' is not finite"},
        Malformed{"1 | a :2", 7, "a value without a feature"},
        Malformed{"1 | a:", 7, "value '' is not a number"},
        Malformed{"1 | a:x|b c", 7, "value 'x' is not a number"},
        Malformed{"1 | a:1:2", 7, "value '1:2' is not a number"},
        Malformed{"1 | a:1e999", 7, "value '1e999' is not finite"},
        Malformed{"1 | b a:nan", 9, "value 'nan' is not finite"},
        Malformed{"1 |n:1e300 b a:1e300", 14, "is not finite"}));

TEST(Vw, importance_is_counted_and_ignored) {
  const TemporaryFile file("1 2 | a\n-1 1.0 | a\n1 | a\n1 0 'x| a\n");
  const auto stream = open_stream(file.path(), {});
  EXPECT_TRUE(stream->notes().empty());
  Examples block;
  ASSERT_TRUE(*stream->next(block));
  EXPECT_EQ(block.size(), 4);
  EXPECT_EQ(block.x(0).values()[0], 1);
  ASSERT_EQ(stream->notes().size(), 1);
  EXPECT_NE(stream->notes()[0].find("2 examples have an importance other than 1"), std::string::npos);
  const std::vector<std::string> twice{file.path(), file.path()};
  const auto both = open_stream(twice, {});
  while (*both->next(block)) {
  }
  EXPECT_EQ(both->notes().size(), 2);
}

TEST(Vw, a_dictionary_is_refused) {
  const TemporaryFile file("1 | a\n");
  EXPECT_THROW(open_stream(file.path(), {.features = {.text = {.dictionary = true}}}), ConfigError);
}

void expect_same(const std::string& text, const VwHash& hash, double bias = 0) {
  const ParsedChunk fast = test::parsed(
      text, bias, [&](const Chunk& chunk, ParsedChunk& out) { VwParser(hash).parse(chunk, out); });
  ASSERT_TRUE(test::same(fast, test::careful_vw(text, hash, bias))) << text.substr(0, 300);
}

TEST(VwParser, agrees_with_the_careful_reader_on_any_text) {
  constexpr std::string_view pieces[] = {
      " ",   "  ",      "\t",   "\n",  "\r\n", "|",    " |",      "|ns ",   "|ns:2 ", "|n:",
      "1 ",  "-1 0.5 ", "'tag", "a",   "b:",   "c:1 ", "d:-2.5 ", "e:1e2 ", ":",      "x:0.1234567890123 ",
      "3,4", ".",       "nan",  "\x80"};
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 20'000; ++trial) {
    std::string text;
    for (std::size_t k = random() % 40; k-- > 0;) text += pieces[random() % std::size(pieces)];
    expect_same(text, VwHash(trial % 2 == 0 ? 3 : 18), trial % 5 == 0 ? 0.5 : 0);
  }
}

TEST(VwParser, agrees_with_the_careful_reader_on_slightly_malformed_text) {
  std::mt19937_64 random(2);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int trial = 0; trial < 3'000; ++trial) {
    std::string text;
    for (std::size_t lines = 1 + below(4); lines-- > 0;) {
      text += below(2) == 0 ? "1 |" : "-1 2 'tag |";
      for (std::size_t words = below(40); words-- > 0;) {
        text += fmt::format(" w{}", below(100));
        if (below(3) != 0)
          text += fmt::format(":{:.{}f}", 0.001 * static_cast<double>(below(20'000)) - 10, below(8));
        if (below(20) == 0) text += below(2) == 0 ? " |ns" : " |ns:0.5";
      }
      text += '\n';
    }
    for (std::size_t edits = below(3); edits-- > 0;) {
      constexpr std::string_view bytes = "0123456789 :.-\n\r\t|e";
      text[below(text.size())] = bytes[below(bytes.size())];
    }
    expect_same(text, VwHash(18));
  }
}

TEST(VwParser, reads_lines_that_are_longer_than_its_buffer_of_marks) {
  std::string longest = "1 |";
  for (int k = 1; longest.size() < 3 * max_marked; ++k) longest += fmt::format(" w{}:0.25", k);
  std::string text = "-1 | a\n" + longest + "\n-1 | b\n" + longest + "\n";
  for (int k = 0; k < 40'000; ++k) text += "1 | a b c\n";
  expect_same(text + longest, VwHash(18));
}

}  // namespace
}  // namespace askfew
