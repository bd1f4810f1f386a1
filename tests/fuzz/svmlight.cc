// svmlight text, with and without a dimension, with indices from 0 and from 1.

#include "askfew/streams/formats/svmlight/svmlight.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "askfew/streams/formats/svmlight/svmlight_parser.h"

#include "tests/fuzz/harness.h"
#include "tests/fuzz/reading.h"
#include "tests/fuzz/svmlight_seeds.h"
#include "tests/parsing.h"

namespace askfew::fuzz {
namespace {

constexpr FeatureView::Index small_dimension = 64;

WhatWasRead parse(std::string_view text, FeatureView::Index dimension) {
  return read_all(text, {.format = "svmlight", .dimension = dimension});
}

std::string written(const Examples& rows) {
  std::string text;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    text += fmt::format("{}", fmt::join(rows.labels(row), ","));
    const FeatureView x = rows.x(row);
    for (std::size_t k = 0; k < x.size(); ++k)
      text += fmt::format(" {}:{}", x.indices()[k] + 1, x.values()[k]);
    if (x.size() == 0) text += " 1:0";  // a line of blanks only would be skipped
    text += '\n';
  }
  return text;
}

/// A given dimension refuses some lines and changes no accepted line.
void check_part_of(const Examples& part, const Examples& whole) {
  std::size_t at = 0;
  for (std::size_t row = 0; row < part.size(); ++row) {
    while (at < whole.size() && whole.line(at) < part.line(row)) ++at;
    FUZZ_CHECK(at < whole.size() && same_row(part, row, whole, at));
  }
}

/// The fast reader gives the same as the careful reader.
void check_fast(std::string_view text, const SvmlightIndices& indices, double bias) {
  SvmlightParser parser(indices);
  const ParsedChunk fast =
      test::parsed(text, bias, [&](const Chunk& chunk, ParsedChunk& out) { parser.parse(chunk, out); });
  FUZZ_CHECK(test::same(fast, test::careful_svmlight(text, indices, bias)));
}

void check_written(const Examples& rows) {
  const WhatWasRead again = parse(written(rows), 0);
  FUZZ_CHECK(again.skipped.count == 0);
  FUZZ_CHECK(again.rows.size() == rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) FUZZ_CHECK(same_content(rows, row, again.rows, row));
}

}  // namespace

std::vector<std::string> seeds() {
  return svmlight_seeds();
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew::fuzz;
  const std::string_view text = text_of(data, size);
  const WhatWasRead any = parse(text, 0);
  const WhatWasRead small = parse(text, small_dimension);
  for (std::size_t row = 0; row < any.rows.size(); ++row) {
    check_row(any.rows, row, askfew::SvmlightFormat::max_features);
  }
  for (std::size_t row = 0; row < small.rows.size(); ++row) check_row(small.rows, row, small_dimension);
  check_part_of(small.rows, any.rows);
  check_written(any.rows);
  check_fast(text, {}, 0);
  check_fast(text, {.base = 0, .dimension = small_dimension}, 1);
  return 0;
}
