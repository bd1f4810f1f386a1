#include "askfew/streams/tables/csv.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <thread>
#include <unistd.h>

#include "askfew/streams/number.h"

#include "tests/unit/tables.h"

namespace askfew {
namespace {

using test::error_of;
using test::gzip;
using test::numbers;
using test::of_table;
using test::read_all;
using test::schema_of;
using test::TemporaryFile;
using Header = TableOptions::Header;
using Kind = ColumnKind;
using Numbers = std::vector<double>;

StreamOptions csv(const TableOptions& table = {}) {
  return of_table("csv", table);
}

TEST(Csv, numbers_are_dense_instances) {
  const auto read = read_all("a,b,label\n1,2.5,1\n-3e1,.5,0\n+7,0,-1\n", csv());
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 3);
  EXPECT_TRUE(read->x(0).is_dense());
  EXPECT_EQ(numbers(*read, 0), Numbers({1, 2.5}));
  EXPECT_EQ(numbers(*read, 1), Numbers({-30, 0.5}));
  EXPECT_EQ(numbers(*read, 2), Numbers({7, 0}));
  EXPECT_EQ(read->labels(0)[0], 1);
  EXPECT_EQ(read->labels(1)[0], 0);
  EXPECT_EQ(read->labels(2)[0], -1);
  EXPECT_EQ(read->line(2), 4);
}

TEST(Csv, numbers_are_rounded_as_fast_float_does) {
  std::string row;
  Numbers expected;
  for (const char* text : {"0",
                           "-0",
                           "0.1",
                           "12345678",
                           "1234567",
                           "-1.5",
                           "-.5",
                           "5.",
                           "0.000001",
                           "99999.99",
                           "123456789",
                           "0.056443",
                           "3.14159265358979",
                           "1e-3",
                           "1E5",
                           "2.2250738585072014e-308",
                           "9007199254740993",
                           "0.30000000000000004",
                           "+4",
                           "4e0",
                           "00012",
                           "-00.10"}) {
    row += std::string(text) + ",";
    expected.push_back(std::strtod(text, nullptr));
  }
  const auto read = read_all(row + "1\n" + row + "0\n", csv({.header = Header::no}));
  ASSERT_TRUE(read);
  EXPECT_EQ(numbers(*read, 0), expected);
  EXPECT_EQ(numbers(*read, 1), expected);
  EXPECT_TRUE(std::signbit(read->x(0).values()[1]));
}

TEST(Csv, short_numbers_of_every_form_are_those_of_strtod) {
  // Up to eight characters are read all at once. Every pattern of digits, signs and points.
  const std::string characters = "07-.";
  for (std::size_t length = 1; length <= 5; ++length) {
    for (std::size_t code = 0; code < std::size_t{1} << (2 * length); ++code) {
      std::string text;
      for (std::size_t k = 0; k < length; ++k) text += characters[code >> (2 * k) & 3];
      double value = 0;
      double expected = 0;
      const bool is_number = read_number(text, expected);
      const bool read =
          read_short_number(eight_bytes((text + "        ").data()), static_cast<unsigned>(length), value);
      ASSERT_EQ(read, is_number) << text;
      if (read) {
        ASSERT_EQ(value, expected) << text;
        ASSERT_EQ(std::signbit(value), std::signbit(expected)) << text;
      }
    }
  }
}

TEST(Csv, quoted_fields_hold_delimiters_quotes_and_ends_of_lines) {
  const auto read =
      read_all("\"a,1\",\"b\"\"c\"\"\",label\n\"1\",\"x,\"\"y\"\"\nz\",\"yes\"\n2, \"w\" ,no\n", csv());
  ASSERT_TRUE(read) << read.error().why;
  ASSERT_EQ(read->size(), 2);
  EXPECT_EQ(read->line(0), 2);
  EXPECT_EQ(read->line(1), 4);  // the record before has two lines
  const TableSchema schema =
      schema_of("\"a,1\",\"b\"\"c\"\"\",label\n\"1\",\"x,\"\"y\"\"\nz\",\"yes\"\n", csv());
  EXPECT_EQ(schema.columns[0].name, "a,1");
  EXPECT_EQ(schema.columns[1].name, "b\"c\"");
  // The same value without quotes is the same feature.
  const auto plain = read_all("a,b,label\n1,w,yes\n2,\"w\",no\n", csv());
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->x(0).indices()[1], plain->x(1).indices()[1]);
}

TEST(Csv, a_quote_within_a_field_is_a_character) {
  const auto read = read_all("size,label\n5\" disk,a\n3\" disk,b\n", csv());
  ASSERT_TRUE(read) << read.error().why;
  EXPECT_EQ(read->size(), 2);
}

TEST(Csv, ends_of_lines_marks_and_empty_lines_change_nothing) {
  const auto plain = read_all("a,b,label\n1,x,1\n2,y,0\n", csv());
  ASSERT_TRUE(plain);
  for (const char* text : {"\xEF\xBB\xBF"
                           "a,b,label\r\n1,x,1\r\n2,y,0\r\n",
                           "a,b,label\n1,x,1\n2,y,0", "a,b,label\r\n1,x,1\r\n2,y,0\r",
                           " a , b , label \n 1 , x , 1 \n\t2\t,\ty\t,\t0\t\n"}) {
    const auto read = read_all(text, csv());
    ASSERT_TRUE(read) << read.error().why;
    EXPECT_TRUE(test::same(*plain, *read)) << text;
  }
  const auto spaced = read_all("\n \r\na,b,label\n\n1,x,1\n \t\n2,y,0\n\n\n", csv());
  ASSERT_TRUE(spaced);
  ASSERT_EQ(spaced->size(), 2);
  EXPECT_EQ(spaced->line(0), 5);
  EXPECT_EQ(spaced->line(1), 7);
  const auto without_header = read_all(
      "\xEF\xBB\xBF"
      "1,2,1\n3,4,0\n",
      csv());
  ASSERT_TRUE(without_header);
  EXPECT_EQ(numbers(*without_header, 0), Numbers({1, 2}));
}

TEST(Csv, missing_values_are_no_features) {
  const auto dense = read_all("a,b,label\n1,,1\n?,2,0\n,\"\",1\n", csv());
  ASSERT_TRUE(dense) << dense.error().why;
  EXPECT_EQ(numbers(*dense, 0), Numbers({1, 0}));
  EXPECT_EQ(numbers(*dense, 1), Numbers({0, 2}));
  EXPECT_EQ(numbers(*dense, 2), Numbers({0, 0}));
  const auto sparse = read_all("a,b,t,label\n1,x,hello,1\n,?,,0\n", csv({.text_columns = {"t"}}));
  ASSERT_TRUE(sparse);
  EXPECT_EQ(sparse->x(0).size(), 3);
  EXPECT_EQ(sparse->x(1).size(), 0);
}

TEST(Csv, the_delimiter_is_found_out_or_told) {
  EXPECT_EQ(schema_of("a;b;label\n1;2,5;1\n", csv()).delimiter, ';');
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

TEST(Csv, a_header_is_found_out_or_told) {
  EXPECT_TRUE(schema_of("a,b\n1,2\n", csv()).header);              // numbers below names
  EXPECT_TRUE(schema_of("word,Class\nx,y\nz,w\n", csv()).header);  // the usual name of a label
  EXPECT_FALSE(schema_of("n,y\ny,y\n", csv()).header);             // which is a value here
  EXPECT_FALSE(schema_of("1,2\n3,4\n", csv()).header);
  EXPECT_FALSE(schema_of("a,b\nc,d\n", csv()).header);
  EXPECT_TRUE(schema_of("a,b\nc,d\n", csv({.label_column = "b"})).header);  // a name that is told
  EXPECT_TRUE(schema_of("a,b\nc,d\n", csv({.header = Header::yes})).header);
  EXPECT_FALSE(schema_of("a,b\n1,2\n", csv({.header = Header::no})).header);
  EXPECT_EQ(schema_of("1,2\n3,4\n", csv()).columns[1].name, "2");
  EXPECT_EQ(schema_of("x,,x,y\n1,2,3,4\n", csv()).columns[1].name, "2");  // names that are no names
  EXPECT_EQ(schema_of("x,,x,y\n1,2,3,4\n", csv()).columns[2].name, "3");
}

TEST(Csv, the_label_column_is_found_by_its_name_or_the_last_or_told) {
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

TEST(Csv, the_kinds_of_columns_are_found_out_or_told) {
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

TEST(Csv, features_are_numbered_in_the_order_of_the_columns) {
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
  EXPECT_GE(x.indices()[2], 2U);  // hashed behind them
  EXPECT_EQ(test::open(text, options)->dimension(), 2 + (1U << 18));
}

TEST(Csv, the_same_value_in_another_column_is_another_feature) {
  const auto read = read_all("a,b,label\nx,z,1\nz,x,0\n", csv());
  ASSERT_TRUE(read);
  EXPECT_NE(read->x(0).indices()[0], read->x(1).indices()[0]);
  EXPECT_NE(read->x(0).indices()[0], read->x(1).indices()[1]);
}

TEST(Csv, features_that_collide_are_added_up) {
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

TEST(Csv, labels_are_binary_or_one_and_two_or_classes) {
  const auto kind_of = [](const std::string& text) { return test::open(text, csv())->label_kind(); };
  EXPECT_EQ(kind_of("a,label\n1,1\n2,-1\n"), LabelKind::binary);
  EXPECT_EQ(kind_of("a,label\n1,0.0\n2,+1\n"), LabelKind::binary);
  EXPECT_EQ(kind_of("a,label\n1,1\n2,2\n"), LabelKind::one_two);
  EXPECT_EQ(kind_of("a,label\n1,1\n2,2\n2,3\n"), LabelKind::classes);
  EXPECT_EQ(kind_of("a,label\n1,ham\n2,spam\n"), LabelKind::classes);
  const auto stream = test::open("a,label\n1,ham\n2,spam\n3,7.0\n", csv());
  EXPECT_EQ(stream->some_labels(), std::vector<std::string>({"ham", "spam", "7.0"}));
  EXPECT_EQ(stream->label_id("7"), 7);
  EXPECT_EQ(stream->label_name(stream->label_id("ham")), "ham");
}

TEST(Csv, a_schema_finds_columns_by_their_names) {
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
  options.needs_labels = false;
  const auto unlabelled = read_all("a,b,c\n1,2,x\n3,4,y\n", options);
  ASSERT_TRUE(unlabelled);
  EXPECT_TRUE(unlabelled->labels(0).empty());
  EXPECT_EQ(numbers(*unlabelled, 0), numbers(*first, 0));
}

TEST(Csv, without_a_header_a_schema_goes_by_the_place) {
  StreamOptions options = csv({.label_column = "2"});
  options.schema = schema_of("1,0,3\n4,1,6\n", options);
  options.needs_labels = false;
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

TEST(Csv, chunks_and_threads_change_nothing) {
  std::string text = "a,t,b,label\n";
  for (int k = 0; k < 300; ++k) {
    text += std::to_string(k) + ",\"some words, \"\"quoted\"\"\nand " + std::to_string(k % 7) + "\"," +
            std::to_string(0.5 * k) + (k % 3 == 0 ? ",yes\r\n" : ",no\n");
  }
  const auto whole = read_all(text, csv());
  ASSERT_TRUE(whole) << whole.error().why;
  ASSERT_EQ(whole->size(), 300);
  for (const std::size_t chunk : {1, 17, 1000}) {
    StreamOptions options = csv();
    options.chunk = chunk;
    options.threads = chunk == 17 ? 3 : 1;
    const auto read = read_all(text, options);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->size(), whole->size());
    for (std::size_t row = 0; row < read->size(); ++row) {
      EXPECT_EQ(read->line(row), whole->line(row));
      EXPECT_EQ(numbers(*read, row), numbers(*whole, row));
    }
  }
}

TEST(Csv, a_pipe_that_dribbles_is_read_as_a_file) {
  const std::string text = "a,b,label\n1,x,1\n2,y,0\n";
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::thread writer([&] {
    for (const char c : text) {
      ASSERT_EQ(write(ends[1], &c, 1), 1);
      usleep(100);
    }
    close(ends[1]);
  });
  const auto stream = open_stream("/dev/fd/" + std::to_string(ends[0]), csv());
  Examples block;
  std::size_t rows = 0;
  while (*stream->next(block)) rows += block.size();
  writer.join();
  close(ends[0]);
  EXPECT_EQ(rows, 2);
  EXPECT_EQ(*stream->table(), schema_of(text, csv()));
}

TEST(Csv, a_header_of_many_columns_is_read) {
  std::string header = "label";
  std::string row = "1";
  for (int k = 0; k < 30'000; ++k) {
    header += ",column" + std::to_string(k);
    row += ",0.25";
  }
  const auto read = read_all(header + "\n" + row + "\n" + row + "\n", csv());
  ASSERT_TRUE(read) << read.error().why;
  EXPECT_EQ(read->size(), 2);
  EXPECT_EQ(read->x(1).size(), 30'000);
}

TEST(Csv, is_known_by_its_content_and_by_its_name) {
  EXPECT_TRUE(CsvFormat::recognizes("a,b,c\n1,2,3\n"));
  EXPECT_TRUE(CsvFormat::recognizes("1;2\n3;4\n"));
  EXPECT_TRUE(CsvFormat::recognizes("a,\"b\nc\"\nd,e\nf,"));
  EXPECT_FALSE(CsvFormat::recognizes("1 1:0.5 2:1\n-1 3:1\n"));
  EXPECT_FALSE(CsvFormat::recognizes("3,17 1:1\n4,5 2:1\n"));
  EXPECT_FALSE(CsvFormat::recognizes("3,17 # no feature\n4,5 2:1\n"));
  EXPECT_FALSE(CsvFormat::recognizes("a text, with a comma\nand a line\n"));
  EXPECT_FALSE(CsvFormat::recognizes(""));
  EXPECT_TRUE(CsvFormat::recognizes_name("x/data.csv"));
  EXPECT_TRUE(CsvFormat::recognizes_name("data.TSV.gz"));
  EXPECT_FALSE(CsvFormat::recognizes_name("data.csv.txt"));
  const auto read = read_all(gzip("a,b,label\n1,2,1\n"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->size(), 1);
}

TEST(Csv, several_files_are_read_as_the_first) {
  const TemporaryFile first("a,c,label\n1,x,1\n2,y,0\n", "first.csv");
  const TemporaryFile second("label,c,a\n0,7,3\n", "second.csv");  // alone, c would be numeric
  const std::vector<std::string> paths{first.path(), second.path()};
  const auto stream = open_stream(paths, {});
  Examples all;
  Examples block;
  while (*stream->next(block)) {
    for (std::size_t row = 0; row < block.size(); ++row) all.append(block, row);
  }
  ASSERT_EQ(all.size(), 3);
  EXPECT_EQ(all.x(2).indices()[0], 0);
  EXPECT_EQ(all.x(2).values()[0], 3);
  EXPECT_EQ(all.x(2).size(), 2);
  EXPECT_EQ(all.labels(2)[0], 0);
}

TEST(Csv, an_empty_file_has_no_rows) {
  for (const char* text : {"", "\n\n", "\xEF\xBB\xBF", "a,b,label\n"}) {
    const auto read = read_all(text, csv());
    ASSERT_TRUE(read) << read.error().why;
    EXPECT_EQ(read->size(), 0);
  }
}

struct Malformed {
  std::string text;
  std::uint64_t line;
  std::size_t column;
  std::string why;
};

TEST(Csv, errors_have_their_place) {
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
                     "column 'label': 'yes' is not a label such as the first ones"},
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

TEST(Csv, errors_of_the_header_have_their_place) {
  const StreamOptions yes = csv({.header = Header::yes});
  EXPECT_NE(error_of("a,\"b,label\n", yes).why.find(":1:3: a quote that is not closed"), std::string::npos);
  EXPECT_NE(error_of("\na,\"b\"c,label\n1,2,3\n", yes).why.find(":2:6: expected a delimiter"),
            std::string::npos);
  EXPECT_NE(error_of("a,\xE9,label\n1,2,3\n", yes).why.find(":1:3: the name '\\xe9' is not UTF-8"),
            std::string::npos);
}

TEST(Csv, columns_that_are_told_must_be_there) {
  const auto refused = [](const TableOptions& told, const std::string& text = "a,b,label\n1,2,3\n") {
    try {
      test::open(text, csv(told));
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(
      refused({.label_column = "x"}).find("--label-column 'x' is not a column, known: 'a', 'b', 'label'"),
      std::string::npos);
  EXPECT_NE(refused({.label_column = "4"}).find("known:"), std::string::npos);
  EXPECT_NE(refused({.label_column = "0"}).find("known:"), std::string::npos);
  EXPECT_NE(refused({.text_columns = {"q"}}).find("--text-columns 'q'"), std::string::npos);
  EXPECT_NE(
      refused({.text_columns = {"a"}, .ignore_columns = {"1"}}).find("--ignore-columns '1' is told already"),
      std::string::npos);
  EXPECT_NE(refused({.numeric_columns = {"label"}}).find("--numeric-columns 'label' is the label already"),
            std::string::npos);
  EXPECT_NE(refused({}, "one\ntwo\n").find("a table of one column"), std::string::npos);
}

TEST(Csv, skipping_goes_on_with_the_next_record) {
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

TEST(Csv, an_open_quote_does_not_swallow_the_file) {
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

TEST(Csv, with_a_dictionary_features_are_words_of_the_block) {
  StreamOptions options = csv({.text_columns = {"t"}});
  options.features.text.dictionary = true;
  options.features.bias = 1;
  const auto stream = test::open("a,c,t,label\n5,x,one two one,1\n", options);
  EXPECT_EQ(stream->dimension(), 0);
  Examples block;
  ASSERT_TRUE(*stream->next(block));
  std::map<std::string, double> found;
  const auto [indices, values] = block.features(0);
  for (std::size_t k = 1; k < indices.size(); ++k)
    found[std::string(block.words()[indices[k] - 1])] = values[k];
  EXPECT_EQ(found.size(), 4);
  EXPECT_EQ(found["=a"], 5);
  EXPECT_EQ(found["=c=x"], 1);
  EXPECT_EQ(found["t:two"], 1);
  EXPECT_GT(found["t:one"], 1);
  EXPECT_TRUE(std::is_sorted(indices.begin(), indices.end()));
}

}  // namespace
}  // namespace askfew
