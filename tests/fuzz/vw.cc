// Text in the format of Vowpal Wabbit, with few and with many bits.

#include "askfew/streams/formats/vw/vw.h"

#include "askfew/streams/formats/vw/vw_parser.h"

#include "tests/fuzz/harness.h"
#include "tests/fuzz/reading.h"
#include "tests/parsing.h"

namespace askfew::fuzz {
namespace {

void check(std::string_view text, unsigned bits, double bias) {
  StreamOptions options{.format = "vw"};
  options.features.text.bits = bits;
  const WhatWasRead reading = read_all(text, options);
  for (std::size_t row = 0; row < reading.rows.size(); ++row) {
    check_row(reading.rows, row, FeatureView::Index{1} << bits);
  }
  const VwHash hash(bits);
  VwParser parser(hash);
  const ParsedChunk fast =
      test::parsed(text, bias, [&](const Chunk& chunk, ParsedChunk& out) { parser.parse(chunk, out); });
  FUZZ_CHECK(test::same(fast, test::careful_vw(text, hash, bias)));
}

}  // namespace

std::vector<std::string> seeds() {
  return {
      "1 | a b:2.5 c:-0.125\n-1 0.5 'tag|text the cat |title:0.5 cat:3\n| 17 18:1\n",
      "1 1.0 tag|f 1:0.105053 2:0.129805 7:0.04841 102:0.183516 |g 1 1 1:2 1:-1\r\n\r\n0 |f a|g b\n3,17 | "
      "x\n",
      "2 |long:1e2 a_rather_long_name_of_a_feature:0.1234567890123 b:1e-5 c:+1 d:0 e:5. f:.5\n1 2 3 | a\n",
      "x | a\n1 | :1\n1 |n:x a\n1 | a:1:2\n1 | a:nan\n1\n1 | a\t b \n +1 'x  | \xc3\xa9t\xc3\xa9:2\n1| a"};
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = askfew::fuzz::text_of(data, size);
  askfew::fuzz::check(text, 4, 0.5);
  askfew::fuzz::check(text, 20, 0);
  return 0;
}
