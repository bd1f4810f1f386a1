// Tables with delimiters, where the options say nothing or everything about the table.

#include "askfew/streams/formats/tables/csv.h"

#include <optional>

#include "askfew/streams/formats/tables/csv_sample.h"

#include "tests/fuzz/harness.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/reading.h"

namespace askfew::fuzz {
namespace {

StreamOptions options_of(const TableOptions& table) {
  return {.format = "csv", .table = table, .features = {.text = {.bits = 6}}};
}

/// The schema of the table, or nothing if the table cannot be read.
std::optional<TableSchema> schema_of(std::string_view text, const StreamOptions& options) {
  const MemoryFile file(text);
  try {
    const auto stream = open_stream(file.path(), options);
    if (stream->facts().table != nullptr) return *stream->facts().table;
  } catch (const ConfigError&) {
  } catch (const DataError&) {
  }
  return std::nullopt;
}

/// The same records with every field in quotes.
std::string in_quotes(const std::vector<TableRecord>& records) {
  std::string text;
  for (const TableRecord& record : records) {
    for (std::size_t k = 0; k < record.size(); ++k) {
      text += k == 0 ? "\"" : ",\"";
      for (const char c : record[k]) text.append(c == '"' ? 2 : 1, c);
      text += '"';
    }
    text += '\n';
  }
  return text;
}

void check_same_content(const WhatWasRead& a, const WhatWasRead& b) {
  FUZZ_CHECK(a.rows.size() == b.rows.size());
  for (std::size_t row = 0; row < a.rows.size(); ++row) FUZZ_CHECK(same_content(a.rows, row, b.rows, row));
}

/// A schema reads its own table in the same way; quotes change nothing.
void check(std::string_view text, const TableOptions& told) {
  StreamOptions options = options_of(told);
  options.schema = schema_of(text, options);
  if (!options.schema) return;
  const WhatWasRead reading = read_all(text, options_of(told));
  check_same(reading, read_all(text, options));
  const auto stream = open_stream(MemoryFile(text).path(), options);
  for (std::size_t row = 0; row < reading.rows.size(); ++row) {
    check_row(reading.rows, row, stream->facts().dimension);
    FUZZ_CHECK(reading.rows.labels(row).size() == 1);
  }
  std::string_view bytes = text;
  if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
  const auto records = split_records(bytes, CsvDialect(options.schema->delimiter), text.size());
  options.schema->delimiter = ',';
  check_same_content(reading, read_all(in_quotes(records), options));
  options.unlabelled = Unlabelled::accepted;
  FUZZ_CHECK(read_all(text, options_of(told)).rows.size() <= text.size());
}

}  // namespace

std::vector<std::string> seeds() {
  return {"a,b,label\n1,2.5,1\n-3e1,.5,0\n+7,,-1\n,?,1\n1.25,12345678,1\n0.1,-0.002,0\n",
          "id,\"te\"\"xt\",kind,class\r\n1,\"some, words\nin \"\"two\"\" lines\",red,yes\r\n\r\n2,\"a b c "
          "d\", blue ,no\r\n",
          "\xEF\xBB\xBF"
          "6 -1 0.5\t1\n5  2 3 4 \n\n 7 \"8\" 9 10\n",
          "x;y;z\n1,5;\"2\";a\nnan;1e999;b\n3;\"4\"x;c\n",
          "label\ttext\n1\t5\" disk\n2\t\"open\n",
          "n,y\ny,y\n\"\"\n,\n"};
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew::fuzz;
  using askfew::TableOptions;
  const std::string_view text = text_of(data, size);
  check(text, {});
  check(text, {.header = TableOptions::Header::no, .delimiter = ' ', .label_column = "1"});
  check(text, {.header = TableOptions::Header::yes, .delimiter = ',', .text_columns = {"2"}});
  return 0;
}
