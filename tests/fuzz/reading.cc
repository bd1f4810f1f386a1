#include "tests/fuzz/reading.h"

#include <algorithm>
#include <cmath>

#include "tests/fuzz/harness.h"

namespace askfew::fuzz {

Reading read_all(Stream& stream) {
  Reading reading;
  std::uint64_t last_line = 0;
  while (true) {
    const std::size_t before = reading.rows.size();
    const auto more = stream.read(reading.rows);
    if (more && !*more) return reading;
    FUZZ_CHECK(reading.rows.size() == before + (more ? 1 : 0));
    std::uint64_t line = 0;
    if (more) {
      line = reading.rows.line(before);
    } else {
      const ParseError& error = more.error();
      FUZZ_CHECK(error.column >= 1);
      FUZZ_CHECK(!error.why.empty());
      // A source that failed says so as often as it is asked.
      if (!reading.errors.empty() && error.line == last_line && error.why == reading.errors.back().why) {
        return reading;
      }
      line = error.line;
      reading.errors.push_back(error);
    }
    FUZZ_CHECK(line > last_line);
    last_line = line;
  }
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
