// JSON objects, one per line: text, numbers and features, with and without a dimension.

#include "askfew/streams/formats/json/jsonl.h"

#include <nlohmann/json.hpp>

#include "askfew/streams/formats/svmlight/svmlight.h"

#include "tests/fuzz/harness.h"
#include "tests/fuzz/reading.h"

namespace askfew::fuzz {
namespace {

constexpr FeatureView::Index small_dimension = 64;

WhatWasRead parse(std::string_view text, FeatureView::Index dimension) {
  return read_all(text, {.format = "jsonl",
                         .dimension = dimension,
                         .unlabelled = Unlabelled::accepted,
                         .features = {.text = {.bits = 6}}});
}

std::string_view line_at(std::string_view text, std::uint64_t line) {
  for (; line > 1; --line) text.remove_prefix(text.find('\n') + 1);
  return text.substr(0, text.find('\n'));
}

/// Accepted lines are valid JSON for another parser, too.
void check_is_json(std::string_view text, const Examples& rows) {
  for (std::size_t row = 0; row < rows.size(); ++row)
    FUZZ_CHECK(nlohmann::json::accept(line_at(text, rows.line(row))));
}

}  // namespace

std::vector<std::string> seeds() {
  return {
      "{\"id\": 1, \"text\": \"play chess \\u00e9\\n\", \"label\": 1, \"time\": "
      "\"1987-02-26T15:01:01.79Z\"}\n"
      "{\"text\": [\"a\", \"b\"], \"label\": -1, \"junk\": {\"a\": [1, {\"b\": null}], \"c\": true}}\r\n\n"
      "{\"text\": {\"t\": \"a \\ud83d\\ude00\"}, \"features\": {\"h\": 2.5, \"c\": \"red\", \"ok\": true}}",
      "{\"x\": [1, -0.5, 2e3, 0], \"label\": 7}\n{\"x\": [1, 2, 3, 4], \"labels\": [\"a\", 3, \"b\"]}\n"
      "{\"x\": [1, 2], \"id\": \"b\"}\n{\"x\":[0,0,0,1e-320],\"time\":5}\n",
      "{\"features\": [[7, 0.5], [0, -1], [70, 1]], \"label\": \"spam\"}\n{\"features\": []}\n"
      "{\"features\": [[3, 1], [3, 2]]}\n{\"features\": {\"a\": 1}}\n{\"text\": \"\\ud800\"}\n{\"text\": "
      "\"a\"\n"};
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew::fuzz;
  const std::string_view text = text_of(data, size);
  const WhatWasRead any = parse(text, 0);
  const WhatWasRead small = parse(text, small_dimension);
  for (std::size_t row = 0; row < any.rows.size(); ++row)
    check_row(any.rows, row, askfew::SvmlightFormat::max_features);
  for (std::size_t row = 0; row < small.rows.size(); ++row) check_row(small.rows, row, small_dimension);
  check_is_json(text, any.rows);
  check_is_json(text, small.rows);
  return 0;
}
