#include <gtest/gtest.h>

#include "askfew/streams/formats/tables/csv.h"

#include "tests/unit/tables.h"

namespace askfew {
namespace {

using test::error_of;
using test::of_table;
using test::read_all;
using test::schema_of;
using Header = TableOptions::Header;

StreamOptions csv(const TableOptions& table = {}) {
  return of_table("csv", table);
}

struct Malformed {
  std::string text;
  std::uint64_t line;
  std::size_t column;
  std::string why;
};

TEST(CsvErrors, errors_name_line_and_column) {
  const std::string begin = "a,b,c,label\n1,2,x,1\n";
  for (const Malformed& malformed : {
           Malformed{begin + "1,2,x\n", 3, 6, "the line ends after 3 fields, expected 4"},
           Malformed{begin + "1,2,x,1,5\n", 3, 9, "a field too many, expected 4"},
           Malformed{begin + "1,2,x,1,\n", 3, 9, "a field too many, expected 4"},
           Malformed{begin + "1,two,x,1\n", 3, 3, "column 'b': 'two' is not a number"},
           Malformed{begin + "1,2 2,x,1\n", 3, 3, "column 'b': '2 2' is not a number"},
           Malformed{begin + "1,\"2\"x,x,1\n", 3, 6,
                     "expected a delimiter or the end of the line after a quote"},
           Malformed{begin + "nan,2,x,1\n", 3, 1, "column 'a': 'nan' is not finite"},
           Malformed{begin + "1,1e999,x,1\n", 3, 3, "column 'b': '1e999' is not finite"},
           Malformed{begin + "1,2,x,?\n", 3, 7, "column 'label': the label is missing"},
           Malformed{begin + "1,2,x,\n", 3, 7, "column 'label': the label is missing"},
           Malformed{begin + "1,2,x,yes\n", 3, 7,
                     "column 'label': 'yes' is not a whole number, as the first labels are"},
           Malformed{begin + "1,2,\"x,1\n1,2,x,1\n", 3, 5, "a quote that is not closed"},
           Malformed{begin + "1,2,\"x\ny\",1,7\n", 4, 6, "a field too many, expected 4"},
       }) {
    StreamOptions options = csv();
    options.schema = schema_of(begin, options);
    const ParseError error = error_of(malformed.text, options);
    EXPECT_EQ(error.line, malformed.line) << malformed.text;
    EXPECT_EQ(error.column, malformed.column) << malformed.text;
    EXPECT_NE(error.why.find(malformed.why), std::string::npos) << error.why;
  }
  EXPECT_NE(error_of("a,label\n1,\xE9\n2,b\n", csv()).why.find("'\\xe9' is not UTF-8"), std::string::npos);
}

TEST(CsvErrors, errors_in_the_header_name_line_and_column) {
  const StreamOptions yes = csv({.header = Header::yes});
  EXPECT_NE(error_of("a,\"b,label\n", yes).why.find(":1:3: a quote that is not closed"), std::string::npos);
  EXPECT_NE(error_of("\na,\"b\"c,label\n1,2,3\n", yes).why.find(":2:6: expected a delimiter"),
            std::string::npos);
  EXPECT_NE(error_of("a,\xE9,label\n1,2,3\n", yes).why.find(":1:3: the name '\\xe9' is not UTF-8"),
            std::string::npos);
}

TEST(CsvErrors, a_given_column_that_is_missing_is_refused) {
  const auto refused = [](const TableOptions& told, const std::string& text = "a,b,label\n1,2,3\n") {
    try {
      test::open(text, csv(told));
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(
      refused({.label_column = "x"}).find("`label_column` 'x' is not a column: columns: 'a', 'b', 'label'"),
      std::string::npos);
  EXPECT_NE(refused({.label_column = "4"}).find("columns:"), std::string::npos);
  EXPECT_NE(refused({.label_column = "0"}).find("columns:"), std::string::npos);
  EXPECT_NE(refused({.text_columns = {"q"}}).find("`text_columns` 'q'"), std::string::npos);
  EXPECT_NE(
      refused({.text_columns = {"a"}, .ignore_columns = {"1"}}).find("`ignore_columns` '1' is told already"),
      std::string::npos);
  EXPECT_NE(refused({.numeric_columns = {"label"}}).find("`numeric_columns` 'label' is the label already"),
            std::string::npos);
  EXPECT_NE(refused({}, "one\ntwo\n").find("a table of one column"), std::string::npos);
}

TEST(CsvErrors, after_a_skipped_record_the_next_record_is_read) {
  StreamOptions options = csv({.numeric_columns = {"a"}});
  options.skipped = std::make_shared<Skipped>();
  const auto read =
      read_all("a,t,label\n1,\"x\ny\",1\noops,\"x\ny\",1\n2,\"z\"z,1\n3,w,0\n4,\"open,1\n5,v,1\n", options);
  ASSERT_TRUE(read);
  ASSERT_EQ(options.skipped->count, 3);
  EXPECT_EQ(options.skipped->first[0].line, 4);
  EXPECT_EQ(options.skipped->first[1].line, 6);
  EXPECT_EQ(options.skipped->first[2].line, 8);
  ASSERT_EQ(read->size(), 3);
  EXPECT_EQ(read->line(1), 7);
  EXPECT_EQ(read->line(2), 9);
}

TEST(CsvErrors, an_open_quote_is_an_error_of_one_record_and_not_of_the_whole_file) {
  std::string text = "a,t,label\n2,words here,0\n1,\"open,1\n";
  for (int k = 1; k < 150'000; ++k) text += "2,words here,0\n";
  StreamOptions options = csv();
  options.skipped = std::make_shared<Skipped>();
  const auto read = read_all(text, options);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->size(), 150'000);
  EXPECT_EQ(options.skipped->count, 1);
  EXPECT_EQ(options.skipped->first[0].line, 3);
}

}  // namespace
}  // namespace askfew
