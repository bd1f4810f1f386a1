// svmlight text through the gzip layer: the same rows and errors as from the plain text.

#include <cmath>

#include "askfew/streams/unpacker.h"

#include "tests/fuzz/gzip_bytes.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/reading.h"
#include "tests/fuzz/svmlight_seeds.h"

namespace askfew::fuzz {
namespace {

/// After scaling the norm is 1, however small or large the values are, unless all values are zero.
void check_normalized(const Examples& rows) {
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const bool is_zero = rows.x(row).size() == 0;  // svmlight keeps no zeros
    FUZZ_CHECK(is_zero || std::abs(rows.x(row).squared_norm() - 1) < 1e-9);
  }
}

}  // namespace

std::vector<std::string> seeds() {
  return svmlight_seeds();
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew;
  using namespace askfew::fuzz;
  const std::string_view text = text_of(data, size);
  if (unpacker_for(text) != nullptr) return 0;  // not plain text
  const StreamOptions options{.format = "svmlight", .features = {.normalize = true}};
  const WhatWasRead plain = read_all(text, options);
  const WhatWasRead packed = read_all(gzip(text), options);
  check_same(plain, packed);
  check_normalized(plain.rows);
  return 0;
}
