// Debian package lists, by section and by debtags.

#include "askfew/streams/formats/packages.h"

#include "tests/fuzz/harness.h"
#include "tests/fuzz/reading.h"

namespace askfew::fuzz {
namespace {

/// Returns the number of rows and errors.
std::size_t check(std::string_view text, PackagesFormat::LabelField field, unsigned bits) {
  const WhatWasRead reading =
      read_all(text, {.format = "packages", .label_field = field, .features = {.text = {.bits = bits}}});
  for (std::size_t row = 0; row < reading.rows.size(); ++row) {
    check_row(reading.rows, row, FeatureView::Index{1} << bits);
    const FeatureView x = reading.rows.x(row);
    for (std::size_t k = 0; k < x.size(); ++k) FUZZ_CHECK(x.values()[k] >= 1);  // 1 + ln n
  }
  return reading.rows.size() + reading.skipped.count;
}

}  // namespace

std::vector<std::string> seeds() {
  return {
      "Package: chess\nSection: universe/games\nTag: game::board,\n game::board:chess, role::program\n"
      "Description: play chess\n A game of chess, chess and CHESS.\n .\n Of two players.\n\n"
      "Package: libz\nSection: libs\nVersion: 1:1.2\n",
      "Package: a\r\nTag: x, ,y,x\r\nDescription-en: caf\xc3\xa9 \xe9\r\n\r\n\n\nSection:\nTag\nPackage: b\n",
      " continued\n\nSection: a/b/c,/,d/\nDescription:\n\t tab\n"};
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew::fuzz;
  using Field = askfew::PackagesFormat::LabelField;
  const std::string_view text = text_of(data, size);
  // Neither the label field nor the hashing changes what is a stanza and what is an error.
  FUZZ_CHECK(check(text, Field::section, 18) == check(text, Field::tag, 3));
  return 0;
}
