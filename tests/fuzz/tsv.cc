// A label, a tab and a text per line.

#include "askfew/streams/formats/tables/tsv.h"

#include <algorithm>

#include "tests/fuzz/harness.h"
#include "tests/fuzz/reading.h"

namespace askfew::fuzz {
namespace {

constexpr unsigned bits = 6;

WhatWasRead parse(std::string_view text, bool needs_labels) {
  return read_all(text, {.format = "tsv",
                         .unlabelled = needs_labels ? Unlabelled::malformed : Unlabelled::accepted,
                         .features = {.text = {.bits = bits}}});
}

}  // namespace

std::vector<std::string> seeds() {
  return {"ham\tOk lar... Joking wif u\nspam\tFREE entry in 2 a wkly comp\r\n\nham\t\n",
          "\xEF\xBB\xBF"
          "1\ta \"quoted\tb\n0\tcaf\xc3\xa9\n\xe9\tx\nno tab\n\tno label\n"};
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew::fuzz;
  const std::string_view text = text_of(data, size);
  const WhatWasRead labelled = parse(text, true);
  const WhatWasRead any = parse(text, false);
  for (std::size_t row = 0; row < labelled.rows.size(); ++row) {
    check_row(labelled.rows, row, 1U << bits);
    FUZZ_CHECK(labelled.rows.labels(row).size() == 1);
  }
  // Every line that is not empty is a row or refused; without labels it is refused only if the label is not
  // valid text.
  FUZZ_CHECK(labelled.rows.size() + labelled.skipped.count == any.rows.size() + any.skipped.count);
  FUZZ_CHECK(labelled.rows.size() <= any.rows.size());
  return 0;
}
