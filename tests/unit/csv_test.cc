#include "askfew/streams/formats/tables/csv.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <thread>
#include <unistd.h>

#include "askfew/streams/formats/common/number.h"
#include "askfew/streams/formats/tables/table_guess.h"

#include "tests/unit/tables.h"

namespace askfew {
namespace {

using test::gzip;
using test::numbers;
using test::of_table;
using test::read_all;
using test::schema_of;
using test::TemporaryFile;
using Header = TableOptions::Header;
using Numbers = std::vector<double>;

StreamOptions csv(const TableOptions& table = {}) {
  return of_table("csv", table);
}

TEST(Csv, rows_of_numbers_are_dense_instances) {
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

TEST(Csv, fields_of_every_form_are_read_as_numbers_or_refused) {
  // Numbers are read several at a time. The test puts every pattern of digits, signs, points, exponents and
  // blanks into a row, at several places.
  const std::string characters = "07-.e ";
  for (std::size_t length = 1; length <= 4; ++length) {
    const auto codes = static_cast<std::size_t>(std::pow(characters.size(), length));
    for (std::size_t code = 0; code < codes; ++code) {
      std::string text;
      for (std::size_t k = 0, rest = code; k < length; ++k, rest /= characters.size()) {
        text += characters[rest % characters.size()];
      }
      const std::size_t begin = text.find_first_not_of(' ');
      if (begin == std::string::npos) continue;
      const std::string field = text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
      if (is_missing(field)) continue;
      double expected = 0;
      const bool is_number = read_number(field, expected);
      const std::string before = code % 2 == 0 ? "1," : "1,2,3,4,5,6,7,8,9,";
      const std::string after = code % 3 == 0 ? "" : ",1.5,2.5";
      const std::string names = code % 2 == 0 ? "a," : "a,b,c,d,e,f,g,h,i,";
      const std::string header = names + "x" + (code % 3 == 0 ? "" : ",y,z") + ",label\n";
      const auto read = read_all(header + before + "0" + after + ",1\n" + before + text + after + ",1\n",
                                 csv({.delimiter = ',', .numeric_columns = {"x"}}));
      ASSERT_EQ(read.has_value(), is_number) << "'" << text << "'";
      if (!is_number) continue;
      const std::size_t place = code % 2 == 0 ? 1 : 9;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(numbers(*read, 1)[place]),
                std::bit_cast<std::uint64_t>(expected))
          << text;
    }
  }
}

TEST(Csv, quoted_fields_can_contain_delimiters_quotes_and_line_ends) {
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

TEST(Csv, a_quote_inside_an_unquoted_field_is_a_character) {
  const auto read = read_all("size,label\n5\" disk,a\n3\" disk,b\n", csv());
  ASSERT_TRUE(read) << read.error().why;
  EXPECT_EQ(read->size(), 2);
}

TEST(Csv, line_ends_byte_order_marks_and_empty_lines_change_nothing) {
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

TEST(Csv, missing_values_give_no_features) {
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

TEST(Csv, chunks_and_threads_change_nothing) {
  std::string text = "a,t,b,label\n";
  for (int k = 0; k < 300; ++k) {
    text += std::to_string(k) + ",\"some words, \"\"quoted\"\"\nand " + std::to_string(k % 7) + "\"," +
            std::to_string(0.5 * k) + (k % 3 == 0 ? ",yes\r\n" : ",no\n");
  }
  const auto whole = read_all(text, csv());
  ASSERT_TRUE(whole) << whole.error().why;
  ASSERT_EQ(whole->size(), 300);
  for (const std::size_t chunk : {1U, 17U, 1000U}) {
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

TEST(Csv, a_slow_pipe_is_read_as_a_file_is) {
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
  EXPECT_EQ(*stream->facts().table, schema_of(text, csv()));
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

TEST(Csv, is_recognized_by_its_content_and_by_its_name) {
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

TEST(Csv, several_files_are_read_with_the_schema_of_the_first) {
  const TemporaryFile first("a,c,label\n1,x,1\n2,y,0\n", "first.csv");
  const TemporaryFile second("label,c,a\n0,7,3\n", "second.csv");  // read alone, c would be numeric
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

TEST(Csv, with_a_dictionary_features_refer_to_the_words_of_the_block) {
  StreamOptions options = csv({.text_columns = {"t"}});
  options.features.text.dictionary = true;
  options.features.bias = 1;
  const auto stream = test::open("a,c,t,label\n5,x,one two one,1\n", options);
  EXPECT_EQ(stream->facts().dimension, 0);
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
