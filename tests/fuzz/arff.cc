// ARFF files, dense and sparse.

#include "askfew/streams/formats/tables/arff.h"

#include <fmt/format.h>

#include "tests/fuzz/harness.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/reading.h"

namespace askfew::fuzz {
namespace {

void check(std::string_view text, const TableOptions& told) {
  StreamOptions options{.format = "arff", .table = told, .features = {.text = {.bits = 6}}};
  FeatureView::Index dimension = 0;
  try {
    const MemoryFile file(text);
    const auto stream = open_stream(file.path(), options);
    dimension = stream->facts().dimension;
    options.schema = *stream->facts().table;
  } catch (const ConfigError&) {
    return;
  } catch (const DataError&) {
    return;
  }
  const WhatWasRead again = read_all(text, options);
  options.schema.reset();
  const WhatWasRead reading = read_all(text, options);
  check_same(reading, again);
  for (std::size_t row = 0; row < reading.rows.size(); ++row) {
    check_row(reading.rows, row, dimension);
    FUZZ_CHECK(reading.rows.labels(row).size() == 1);
  }
}

}  // namespace

std::vector<std::string> seeds() {
  return {
      "% c\n@RELATION 'x y'\n\n@attribute n numeric\n@Attribute day {1,2,3} % comment\n@attribute t {f,t}\n"
      "@attribute class {UP,DOWN}\n@DATA\n0.5,2,t,UP\n?,1,f,DOWN\n{0 3,1 2}\n{}\n1 3\tt UP %end\n",
      "@relation x\n@attribute 'it\\'s' string\n@attribute d date 'yyyy-MM-dd'\n@attribute \"c\" "
      "{0,1}\n@data\n"
      "'Some \\'words\\', \\u0041',2020-01-02,1\r\n{0 words,2 1},{5}\nx,?,?,{2}\n",
      "@relation x\n@attribute a real [0,1]\n@attribute b integer\n@attribute c {-1,'+1','a "
      "b'}\n@data\n1,0,-1\n"
      "{0 1, 1 -2e-3, 2 'a b'}\n{2 1,1 2}\n{9 1}\n1,,2\n"};
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew::fuzz;
  const std::string_view text = text_of(data, size);
  check(text, {});
  check(text, {.label_column = "1"});
  return 0;
}
