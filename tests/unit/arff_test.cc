#include "askfew/streams/formats/tables/arff.h"

#include <gtest/gtest.h>
#include <map>

#include "tests/unit/tables.h"

namespace askfew {
namespace {

using test::error_of;
using test::numbers;
using test::of_table;
using test::read_all;
using test::schema_of;
using Kind = ColumnKind;
using Numbers = std::vector<double>;

StreamOptions arff(const TableOptions& table = {}) {
  return of_table("arff", table);
}

const std::string header =
    "% a comment\n@RELATION 'of things'\n\n@attribute n numeric\n@Attribute day {1,2,3} % comment\n"
    "@attribute 'two words' REAL\n@attribute yes {f,t}\n@attribute class {UP,DOWN}\n@DATA\n";

TEST(Arff, a_file_written_by_weka_is_read) {
  const auto read = read_all(header + "0.5,2,-1,t,UP\n% more\n\n?,1,?,f,DOWN\r\n1 3\t2 ? UP %end\n", arff());
  ASSERT_TRUE(read) << read.error().why;
  ASSERT_EQ(read->size(), 3);
  EXPECT_EQ(read->line(0), 10);
  EXPECT_EQ(read->line(1), 13);
  // Features: n is 0, day is 1 to 3, two words is 4, yes is 5.
  const auto row = [&](std::size_t k) {
    std::map<FeatureView::Index, double> features;
    read->x(k).for_each([&](FeatureView::Index index, double value) { features[index] = value; });
    return features;
  };
  using Features = std::map<FeatureView::Index, double>;
  EXPECT_EQ(row(0), Features({{0, 0.5}, {2, 1}, {4, -1}, {5, 1}}));
  EXPECT_EQ(row(1), Features({{1, 1}}));
  EXPECT_EQ(row(2), Features({{0, 1}, {3, 1}, {4, 2}}));
  const auto stream = test::open(header, arff());
  EXPECT_EQ(stream->facts().dimension, 6);
  EXPECT_EQ(stream->facts().label_kind, LabelKind::classes);
  EXPECT_EQ(stream->facts().some_labels, std::vector<std::string>({"UP", "DOWN"}));
}

TEST(Arff, sparse_rows_give_the_same_instances_as_dense_rows) {
  const auto dense = read_all(header + "0,1,0,f,UP\n0,2,7,f,UP\n3,1,0,t,DOWN\n", arff());
  const auto sparse = read_all(header + "{}\n{1 2, 2 7}\n{ 0 3 , 3 t,4 DOWN }\n", arff());
  ASSERT_TRUE(dense && sparse) << sparse.error().why;
  EXPECT_TRUE(test::same(*dense, *sparse));
}

TEST(Arff, instances_of_numbers_alone_are_dense_or_sparse_as_written) {
  const std::string numeric =
      "@relation x\n@attribute a real\n@attribute b integer\n@attribute c {-1,1}\n@data\n";
  const auto read = read_all(numeric + "1,0,1\n{0 1}\n", arff());
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->x(0).is_dense());
  EXPECT_EQ(numbers(*read, 0), Numbers({1, 0}));
  EXPECT_EQ(read->labels(0)[0], 1);
  EXPECT_FALSE(read->x(1).is_dense());
  EXPECT_EQ(numbers(*read, 1), Numbers({1}));
  EXPECT_EQ(read->labels(1)[0], -1);  // the first declared value
  EXPECT_EQ(test::open(numeric, arff())->facts().label_kind, LabelKind::binary);
}

TEST(Arff, quotes_and_escapes_are_read) {
  const auto read = read_all(
      "@relation \"x\"\n@attribute 'it\\'s' {'a b', \"c,d\", 'e\\\\f', 'tab\\there', '\\u0041'}\n"
      "@attribute class {'no, never', yes}\n@data\n'a b',yes\n\"a b\",'no, "
      "never'\n'c,d',yes\n\"e\\\\f\",yes\n'tab\\there',yes\nA,yes\n",
      arff());
  ASSERT_TRUE(read) << read.error().why;
  const std::vector<FeatureView::Index> expected{0, 0, 1, 2, 3, 4};
  for (std::size_t row = 0; row < expected.size(); ++row) EXPECT_EQ(read->x(row).indices()[0], expected[row]);
  EXPECT_EQ(
      schema_of("@relation x\n@attribute 'it\\'s' real\n@attribute c {a}\n@data\n", arff()).columns[0].name,
      "it's");
}

TEST(Arff, a_question_mark_in_quotes_is_a_value) {
  const std::string text = "@relation x\n@attribute a {'?',b,c}\n@attribute class {u,v}\n@data\n";
  const auto read = read_all(text + "'?',u\n?,v\n", arff());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->x(0).size(), 1);
  EXPECT_EQ(read->x(1).size(), 0);
}

TEST(Arff, strings_are_read_as_text_and_dates_are_ignored) {
  const std::string text =
      "@relation x\n@attribute t string\n@attribute d date 'yyyy-MM-dd'\n@attribute class {0,1}\n@data\n"
      "'Some words, some',2020-01-02,1\n?,?,0\n{0 words,2 1}\n{}\n";
  const auto read = read_all(text, arff());
  ASSERT_TRUE(read) << read.error().why;
  EXPECT_EQ(read->x(0).size(), 2);
  EXPECT_EQ(read->x(1).size(), 0);
  EXPECT_EQ(read->x(2).size(), 1);
  EXPECT_EQ(read->x(3).size(), 0);
  EXPECT_EQ(read->labels(3)[0], 0);
  EXPECT_EQ(test::open(text, arff())->facts().label_kind, LabelKind::binary);
}

TEST(Arff, weights_are_read_and_ignored) {
  const auto plain = read_all(header + "1,2,3,t,UP\n1,2,3,t,UP\n", arff());
  const auto weighed = read_all(header + "1,2,3,t,UP, {5}\n{0 1,1 2,2 3,3 t},{0.5}\n", arff());
  ASSERT_TRUE(plain && weighed) << weighed.error().why;
  EXPECT_TRUE(test::same(*plain, *weighed));
}

TEST(Arff, the_kinds_of_columns_can_be_given) {
  const TableSchema schema = schema_of(
      header, arff({.label_column = "day", .categorical_columns = {"class"}, .ignore_columns = {"1"}}));
  EXPECT_EQ(schema.columns[0].kind, Kind::ignored);
  EXPECT_EQ(schema.columns[1].kind, Kind::label);
  EXPECT_EQ(schema.columns[3].kind, Kind::nominal);
  EXPECT_EQ(schema.columns[4].kind, Kind::categorical);
  const auto read = read_all(header + "1,3,1,t,UP\n", arff({.label_column = "day"}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->labels(0)[0], 3);
  const auto numeric =
      read_all(header + "1,3,1,t,UP\n{0 2}\n", arff({.label_column = "n", .numeric_columns = {"day"}}));
  ASSERT_TRUE(numeric) << numeric.error().why;
  EXPECT_EQ(numbers(*numeric, 0), Numbers({3, 1, 1, 0}));
  EXPECT_EQ(numbers(*numeric, 1), Numbers({1}));  // a day that is not written is 1
  EXPECT_EQ(numeric->labels(1)[0], 2);
}

TEST(Arff, a_schema_finds_attributes_and_values_by_their_names) {
  const std::string other =
      "@relation y\n@attribute class {DOWN,UP}\n@attribute yes {t,f}\n@attribute more real\n@attribute day "
      "{3,2,1}\n"
      "@attribute 'two words' real\n@attribute n real\n@data\n";
  StreamOptions options = arff();
  const auto first = read_all(header + "1,2,3,t,UP\n0,3,0,t,DOWN\n", options);
  options.schema = schema_of(header, options);
  const auto read = read_all(other + "UP,t,9,2,3,1\n{2 9}\n", options);
  ASSERT_TRUE(first && read) << read.error().why;
  for (std::size_t row = 0; row < 2; ++row) {
    EXPECT_EQ(numbers(*first, row), numbers(*read, row));
    EXPECT_EQ(first->labels(row)[0] == first->labels(0)[0], read->labels(row)[0] == read->labels(0)[0]);
  }
  const std::string without =
      "@relation y\n@attribute day {3,2,1}\n@attribute yes {t,f}\n@attribute 'two words' real\n";
  EXPECT_NE(error_of(without + "@data\n", options).why.find("no attribute 'n'"), std::string::npos);
  EXPECT_NE(error_of(without + "@attribute n real\n@data\n", options).why.find("no attribute 'class'"),
            std::string::npos);
  options.unlabelled = Unlabelled::accepted;
  const auto unlabelled = read_all(without + "@attribute n real\n@data\n2,t,3,1\n", options);
  ASSERT_TRUE(unlabelled);
  EXPECT_EQ(numbers(*unlabelled, 0), numbers(*first, 0));
  // A CSV table with the same columns.
  options.format = "csv";
  const auto table = read_all("n,day,two words,yes\n1,2,3,t\n", options);
  ASSERT_TRUE(table) << table.error().why;
  EXPECT_EQ(numbers(*table, 0), numbers(*first, 0));
}

TEST(Arff, is_recognized_by_its_content_and_by_its_name) {
  EXPECT_TRUE(ArffFormat::recognizes("@relation x\n"));
  EXPECT_TRUE(ArffFormat::recognizes("\xEF\xBB\xBF% comment\n\n  @RELATION x\n"));
  EXPECT_FALSE(ArffFormat::recognizes("% comment\n"));
  EXPECT_FALSE(ArffFormat::recognizes("+1 1:1\n"));
  EXPECT_TRUE(ArffFormat::recognizes_name("a.arff.gz"));
  const auto read =
      read_all("\xEF\xBB\xBF@relation x\r\n@attribute a real\r\n@attribute c {0,1}\r\n@data\r\n1,1\r\n");
  ASSERT_TRUE(read) << read.error().why;
  EXPECT_EQ(read->size(), 1);
}

TEST(Arff, errors_name_line_and_column) {
  struct Malformed {
    std::string row;
    std::size_t column;
    std::string why;
  };
  for (const Malformed& malformed : {
           Malformed{"1,2,3,t", 8, "the line ends after 4 values, expected 5"},
           Malformed{"1,2,3,t,UP,7", 12, "expected the end of the line"},
           Malformed{"x,2,3,t,UP", 1, "column 'n': 'x' is not a number"},
           Malformed{"inf,2,3,t,UP", 1, "column 'n': 'inf' is not finite"},
           Malformed{"1,8,3,t,UP", 3, "column 'day': '8' is not one of its 3 values"},
           Malformed{"1,2,3,t,LEFT", 9, "column 'class': 'LEFT' is not one of its 2 values"},
           Malformed{"1,2,3,t,?", 9, "column 'class': the label is missing"},
           Malformed{"1,,3,t,UP", 3, "expected a value"},
           Malformed{"1,'2,3,t,UP", 3, "its quote is not closed"},
           Malformed{"{0 1,x 2}", 6, "expected an attribute's number and its value, or }"},
           Malformed{"{0 1", 5, "expected an attribute's number and its value, or }"},
           Malformed{"{0 1,5 2}", 6, "attribute 5 is out of range, accepted: 0 to 4"},
           Malformed{"{2 1,1 2}", 6, "attribute 1 after 2: they must ascend"},
           Malformed{"{2 1,2 2}", 6, "attribute 2 after 2: they must ascend"},
           Malformed{"{2}", 3, "expected a value"},
           Malformed{"1,2,3,t,UP,{x}", 13, "expected a weight and }"},
           Malformed{"{0 1} 5", 7, "expected the end of the line"},
       }) {
    const ParseError error = error_of(header + "1,2,3,t,UP\n" + malformed.row + "\n", arff());
    EXPECT_EQ(error.line, 11) << malformed.row;
    EXPECT_EQ(error.column, malformed.column) << malformed.row;
    EXPECT_NE(error.why.find(malformed.why), std::string::npos) << malformed.row << ": " << error.why;
  }
}

TEST(Arff, a_string_that_is_the_label_must_be_present) {
  const std::string text = "@relation x\n@attribute a string\n@attribute b real\n@data\n";
  const StreamOptions options = arff({.label_column = "a"});
  const auto read = read_all(text + "yes,1\n{0 no}\n", options);
  ASSERT_TRUE(read) << read.error().why;
  EXPECT_EQ(read->labels(1).size(), 1);
  EXPECT_EQ(error_of(text + "{1 2}\n", options).why.find("column 'a': the label is missing: "), 0U);
}

TEST(Arff, errors_in_the_header_name_line_and_column) {
  const auto why = [](const std::string& text) { return error_of(text, arff()).why; };
  const std::string begin = "@relation x\n";
  const auto says = [](const std::string& text, const std::string& words) {
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  says(why(begin + "@attribute a wrong\n"),
       ":2:14: type 'wrong' is not numeric, real, integer, string, date or {...}");
  says(why(begin + "@attribute a relational\n"), ":2:14: type 'relational'");
  says(why(begin + "@attribute a\n"), ":2:13: type ''");
  says(why(begin + "@attribute\n"), ":2:11: expected the attribute's name");
  says(why(begin + "@attribute 'a\n"), ":2:12: expected the attribute's name, or its quote is not closed");
  says(why(begin + "@attribute a real\n@attribute a real\n"), ":3:12: a second attribute 'a'");
  says(why(begin + "@attribute a {x,y\n"), ":2:18: expected a value or }");
  says(why(begin + "@attribute a {x,x}\n"), ":2:17: the value 'x' occurs twice");
  says(why(begin + "@attribute \xE9 real\n"), ":2:12: the attribute's name '\\xe9' is not UTF-8");
  says(why(begin + "@data\n"), ":2:1: @data without an @attribute");
  says(why(begin + "@attribute a real\n1,2\n"), ":3:1: expected @relation, @attribute or @data");
  says(why(begin + "@attribute a real\n"), ":3:1: the file ends before @data");
  EXPECT_THROW(test::open(begin + "@attribute a real\n@data\n", arff()),
               ConfigError);  // no column is the label
}

}  // namespace
}  // namespace askfew
