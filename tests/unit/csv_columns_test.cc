#include <gtest/gtest.h>

#include "askfew/streams/formats/tables/csv.h"

#include "tests/unit/tables.h"

namespace askfew {
namespace {

using test::error_of;
using test::numbers;
using test::of_table;
using test::read_all;
using test::schema_of;
using Header = TableOptions::Header;
using Kind = ColumnKind;
using Numbers = std::vector<double>;

StreamOptions csv(const TableOptions& table = {}) {
  return of_table("csv", table);
}

TEST(CsvColumns, a_label_may_come_before_its_text) {
  const std::string text =
      "v1,v2\nham,see you at five at home\nspam,win a free prize now\nham,call me back after work\n";
  const TableSchema schema = schema_of(text, csv());
  EXPECT_EQ(schema.columns[0].kind, Kind::label);
  EXPECT_EQ(schema.columns[1].kind, Kind::text);
}

TEST(CsvColumns, the_delimiter_is_detected_or_given) {
  EXPECT_EQ(schema_of("a;b;label\n1;x,y;1\n", csv()).delimiter, ';');
  EXPECT_EQ(schema_of("a\tb\tlabel\n1\t2\t1\n", csv()).delimiter, '\t');
  EXPECT_EQ(schema_of("a|b|label\n1|2|1\n", csv()).delimiter, '|');
  EXPECT_EQ(schema_of("a,b,label\n1,2;3,1\n", csv()).delimiter, ',');
  EXPECT_EQ(schema_of("a:b,c:label\n1:2:1\n", csv({.delimiter = ':'})).columns.size(), 3);
  const auto blanks = read_all("  6 -1   0.5\t1 \n5 2 3 4\n",
                               csv({.header = Header::no, .delimiter = ' ', .label_column = "1"}));
  ASSERT_TRUE(blanks) << blanks.error().why;
  EXPECT_EQ(blanks->labels(0)[0], 6);
  EXPECT_EQ(numbers(*blanks, 0), Numbers({-1, 0.5, 1}));
  EXPECT_EQ(numbers(*blanks, 1), Numbers({2, 3, 4}));
  EXPECT_EQ(parse_delimiter("tab"), '\t');
  EXPECT_EQ(parse_delimiter("space"), ' ');
  EXPECT_EQ(parse_delimiter(";"), ';');
  for (const char* text : {"", "ab", "\"", "5", "x", ".", "-", "\n", "\xE9"}) {
    EXPECT_THROW(parse_delimiter(text), ConfigError) << text;
  }
}

TEST(CsvColumns, a_header_is_detected_or_given) {
  EXPECT_TRUE(schema_of("a,b\n1,2\n", csv()).header);              // numbers below names
  EXPECT_TRUE(schema_of("word,Class\nx,y\nz,w\n", csv()).header);  // the usual name of a label
  EXPECT_FALSE(schema_of("n,y\ny,y\n", csv()).header);             // the usual name is a value here
  EXPECT_FALSE(schema_of("1,2\n3,4\n", csv()).header);
  EXPECT_FALSE(schema_of("a,b\nc,d\n", csv()).header);
  EXPECT_TRUE(schema_of("a,b\nc,d\n", csv({.label_column = "b"})).header);  // a given name
  EXPECT_TRUE(schema_of("a,b\nc,d\n", csv({.header = Header::yes})).header);
  EXPECT_FALSE(schema_of("a,b\n1,2\n", csv({.header = Header::no})).header);
  EXPECT_EQ(schema_of("1,2\n3,4\n", csv()).columns[1].name, "2");
  EXPECT_EQ(schema_of("x,,x,y\n1,2,3,4\n", csv()).columns[1].name,
            "2");  // empty and repeated names are replaced by numbers
  EXPECT_EQ(schema_of("x,,x,y\n1,2,3,4\n", csv()).columns[2].name, "3");
}

TEST(CsvColumns, the_label_column_is_given_or_has_a_usual_name_or_is_the_last) {
  const auto label_of = [](const std::string& text, const TableOptions& told = {}) {
    for (const TableColumn& column : schema_of(text, csv(told)).columns) {
      if (column.kind == Kind::label) return column.name;
    }
    return std::string();
  };
  EXPECT_EQ(label_of("a,Target,b\n1,2,3\n"), "Target");
  EXPECT_EQ(label_of("y,class,b\n1,2,3\n"), "class");
  EXPECT_EQ(label_of("a,b,c\n1,2,3\n"), "c");
  EXPECT_EQ(label_of("1,2,3\n4,5,6\n"), "3");
  EXPECT_EQ(label_of("a,b,c\n1,2,3\n", {.label_column = "b"}), "b");
  EXPECT_EQ(label_of("a,b,c\n1,2,3\n", {.label_column = "1"}), "a");
  EXPECT_EQ(label_of("1,b,c\n5,2,3\n", {.header = Header::yes, .label_column = "1"}), "1");
}

TEST(CsvColumns, the_kinds_of_columns_are_detected_or_given) {
  const std::string text =
      "n,c,t,e,i,label\n1,New York,the quick brown fox jumps,,7,1\n2.5,Rome,over the lazy dog,,8,0\n";
  const auto kinds = [&](const TableOptions& told) {
    std::vector<Kind> found;
    for (const TableColumn& column : schema_of(text, csv(told)).columns) found.push_back(column.kind);
    return found;
  };
  EXPECT_EQ(kinds({}), std::vector({Kind::numeric, Kind::categorical, Kind::text, Kind::numeric,
                                    Kind::numeric, Kind::label}));
  EXPECT_EQ(kinds({.numeric_columns = {"e"},
                   .categorical_columns = {"t", "5"},
                   .text_columns = {"c"},
                   .ignore_columns = {"n"}}),
            std::vector({Kind::ignored, Kind::text, Kind::categorical, Kind::numeric, Kind::categorical,
                         Kind::label}));
}

TEST(CsvColumns, features_are_numbered_in_the_order_of_the_columns) {
  const StreamOptions options = csv({.text_columns = {"t"}});
  const std::string text = "a,c,t,b,label\n1,x,one two two,4,1\n2,y,,0,0\n";
  const auto read = read_all(text, options);
  ASSERT_TRUE(read) << read.error().why;
  const FeatureView x = read->x(0);
  ASSERT_EQ(x.size(), 5);
  EXPECT_FALSE(x.is_dense());
  EXPECT_EQ(x.indices()[0], 0);
  EXPECT_EQ(x.values()[0], 1);
  EXPECT_EQ(x.indices()[1], 1);
  EXPECT_EQ(x.values()[1], 4);
  EXPECT_GE(x.indices()[2], 2U);  // hashed features come after the numbers
  EXPECT_EQ(test::open(text, options)->facts().dimension, 2 + (1U << 18));
}

TEST(CsvColumns, the_same_value_in_another_column_is_another_feature) {
  const auto read = read_all("a,b,label\nx,z,1\nz,x,0\n", csv());
  ASSERT_TRUE(read);
  EXPECT_NE(read->x(0).indices()[0], read->x(1).indices()[0]);
  EXPECT_NE(read->x(0).indices()[0], read->x(1).indices()[1]);
}

TEST(CsvColumns, features_that_collide_are_added_up) {
  StreamOptions options = csv();
  options.features.text.bits = 1;
  const auto read = read_all("a,b,c,label\nx,y,z,1\nu,v,w,0\n", options);
  ASSERT_TRUE(read);
  for (std::size_t row = 0; row < 2; ++row) {
    double sum = 0;
    read->x(row).for_each([&](FeatureView::Index, double value) { sum += value; });
    EXPECT_EQ(sum, 3);
    EXPECT_LE(read->x(row).size(), 2);
  }
}

TEST(CsvColumns, labels_are_binary_or_1_and_2_or_classes) {
  const auto kind_of = [](const std::string& text) { return test::open(text, csv())->facts().label_kind; };
  EXPECT_EQ(kind_of("a,label\n1,1\n2,-1\n"), LabelKind::binary);
  EXPECT_EQ(kind_of("a,label\n1,0.0\n2,+1\n"), LabelKind::binary);
  EXPECT_EQ(kind_of("a,label\n1,1\n2,2\n"), LabelKind::one_two);
  EXPECT_EQ(kind_of("a,label\n1,1\n2,2\n2,3\n"), LabelKind::classes);
  EXPECT_EQ(kind_of("a,label\n1,ham\n2,spam\n"), LabelKind::classes);
  const auto stream = test::open("a,label\n1,ham\n2,spam\n3,7.0\n", csv());
  EXPECT_EQ(stream->facts().some_labels, std::vector<std::string>({"ham", "spam", "7.0"}));
  EXPECT_EQ(stream->label_id("7"), 7);
  EXPECT_EQ(stream->label_name(stream->label_id("ham")), "ham");
}

TEST(CsvColumns, a_schema_finds_columns_by_their_names) {
  const std::string text = "a,c,b,label\n1,x,2,1\n3,y,4,0\n";
  StreamOptions options = csv();
  const auto first = read_all(text, options);
  options.schema = schema_of(text, options);
  const auto other = read_all("label,more,b,c,a\n1,7,2,x,1\n0,8,4,y,3\n", options);
  ASSERT_TRUE(first && other) << other.error().why;
  EXPECT_TRUE(test::same(*first, *other));
  EXPECT_EQ(error_of("a,c,label\n1,x,1\n", options).why.substr(0, 0), "");
  EXPECT_NE(error_of("a,c,label\n1,x,1\n", options).why.find(":1:1: no column 'b' in the header"),
            std::string::npos);
  EXPECT_NE(error_of("a,b,c\n1,2,x\n", options).why.find("no label column 'label' in the header"),
            std::string::npos);
  options.unlabelled = Unlabelled::accepted;
  const auto unlabelled = read_all("a,b,c\n1,2,x\n3,4,y\n", options);
  ASSERT_TRUE(unlabelled);
  EXPECT_TRUE(unlabelled->labels(0).empty());
  EXPECT_EQ(numbers(*unlabelled, 0), numbers(*first, 0));
}

TEST(CsvColumns, without_a_header_a_schema_finds_columns_by_their_position) {
  StreamOptions options = csv({.label_column = "2"});
  options.schema = schema_of("1,0,3\n4,1,6\n", options);
  options.unlabelled = Unlabelled::accepted;
  const auto labelled = read_all("1,0,3\n", options);
  const auto unlabelled = read_all("1,3\n4,6\n", options);
  ASSERT_TRUE(labelled && unlabelled);
  EXPECT_EQ(numbers(*labelled, 0), Numbers({1, 3}));
  EXPECT_EQ(numbers(*unlabelled, 0), Numbers({1, 3}));
  EXPECT_TRUE(unlabelled->labels(0).empty());
  const auto missing = read_all("1,?,3\n", options);
  ASSERT_TRUE(missing);
  EXPECT_TRUE(missing->labels(0).empty());
}

}  // namespace
}  // namespace askfew
