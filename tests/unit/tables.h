#pragma once

// Tables: their detected schema and the examples read from them.

#include <vector>

#include "askfew/streams/formats/tables/table_schema.h"

#include "tests/unit/reading.h"

namespace askfew::test {

inline StreamOptions of_table(const std::string& format, const TableOptions& table = {}) {
  StreamOptions options;
  options.format = format;
  options.table = table;
  return options;
}

/// A stream of a temporary file with these bytes. The file is removed when this function returns.
inline std::unique_ptr<Stream> open(const std::string& bytes, const StreamOptions& options) {
  const TemporaryFile file(bytes);
  return open_stream(file.path(), options);
}

inline TableSchema schema_of(const std::string& bytes, const StreamOptions& options) {
  const auto stream = open(bytes, options);
  return stream->facts().table == nullptr ? TableSchema{} : TableSchema(*stream->facts().table);
}

/// The values of an example.
inline std::vector<double> numbers(const Examples& examples, std::size_t row) {
  const FeatureView x = examples.x(row);
  return {x.values(), x.values() + x.size()};
}

}  // namespace askfew::test
