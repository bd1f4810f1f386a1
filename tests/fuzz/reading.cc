#include "tests/fuzz/reading.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/fuzz/harness.h"
#include "tests/fuzz/memory_file.h"

namespace askfew::fuzz {

namespace {

WhatWasRead read_once(const std::string& path, StreamOptions options) {
  options.skipped = std::make_shared<Skipped>();
  const auto stream = open_stream(path, options);
  WhatWasRead reading;
  Examples block;
  auto more = stream->next(block);
  for (; more && *more; more = stream->next(block)) {
    FUZZ_CHECK(block.size() > 0);
    for (std::size_t row = 0; row < block.size(); ++row) reading.rows.append(block, row);
  }
  if (!more) reading.failure = more.error().why;
  reading.skipped = *options.skipped;
  return reading;
}

void check_order(const WhatWasRead& reading) {
  for (std::size_t row = 1; row < reading.rows.size(); ++row) {
    FUZZ_CHECK(reading.rows.line(row) == 0 || reading.rows.line(row - 1) <= reading.rows.line(row));
  }
  std::pair<std::uint64_t, std::size_t> last{0, 0};
  for (const ParseError& error : reading.skipped.first) {
    const std::pair place{error.line, error.column};
    FUZZ_CHECK(place > last && error.column >= 1 && !error.why.empty() && !error.file.empty());
    last = place;
  }
}

/// Is the number of examples the same without reading them, where it can be told?
void check_count(const std::string& path, const StreamOptions& options, std::size_t examples) {
  const auto counted = count_examples({&path, 1}, options);
  FUZZ_CHECK(!counted || *counted == examples);
}

}  // namespace

void check_same(const WhatWasRead& a, const WhatWasRead& b) {
  FUZZ_CHECK(a.failure == b.failure);
  FUZZ_CHECK(a.rows.size() == b.rows.size());
  for (std::size_t row = 0; row < a.rows.size(); ++row) FUZZ_CHECK(same_row(a.rows, row, b.rows, row));
  FUZZ_CHECK(a.skipped.count == b.skipped.count);
  for (std::size_t k = 0; k < a.skipped.first.size(); ++k) {
    FUZZ_CHECK(a.skipped.first[k].line == b.skipped.first[k].line);
    FUZZ_CHECK(a.skipped.first[k].column == b.skipped.first[k].column);
    FUZZ_CHECK(a.skipped.first[k].why == b.skipped.first[k].why);
  }
}

WhatWasRead read_all(std::string_view bytes, StreamOptions options) {
  const MemoryFile file(bytes);
  const WhatWasRead whole = read_once(file.path(), options);
  check_order(whole);
  for (const std::size_t chunk : {1U, 40U}) {
    options.chunk = chunk;
    check_same(whole, read_once(file.path(), options));
  }
  if (whole.failure.empty() && whole.skipped.count == 0) check_count(file.path(), options, whole.rows.size());
  return whole;
}

void check_row(const Examples& rows, std::size_t row, FeatureView::Index dimension) {
  const FeatureView x = rows.x(row);
  for (std::size_t k = 0; k < x.size(); ++k) {
    FUZZ_CHECK(std::isfinite(x.values()[k]));
    if (x.is_dense()) continue;
    FUZZ_CHECK(k == 0 || x.indices()[k - 1] < x.indices()[k]);
    FUZZ_CHECK(dimension == 0 || x.indices()[k] < dimension);
    FUZZ_CHECK(x.indices()[k] < x.extent());
  }
  FUZZ_CHECK(x.squared_norm() == FeatureView::sum_of_squares({x.values(), x.size()}));
}

bool same_row(const Examples& a, std::size_t row_a, const Examples& b, std::size_t row_b) {
  return a.line(row_a) == b.line(row_b) && same_content(a, row_a, b, row_b);
}

bool same_content(const Examples& a, std::size_t row_a, const Examples& b, std::size_t row_b) {
  const FeatureView x = a.x(row_a);
  const FeatureView y = b.x(row_b);
  return std::ranges::equal(a.labels(row_a), b.labels(row_b)) && x.is_dense() == y.is_dense() &&
         x.size() == y.size() && std::equal(x.values(), x.values() + x.size(), y.values()) &&
         (x.is_dense() || std::equal(x.indices(), x.indices() + x.size(), y.indices()));
}

}  // namespace askfew::fuzz
