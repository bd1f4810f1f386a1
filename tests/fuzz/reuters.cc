// The SGML of Reuters-21578, all stories and by split.

#include "askfew/streams/formats/reuters/reuters.h"

#include "tests/fuzz/harness.h"
#include "tests/fuzz/reading.h"

namespace askfew::fuzz {
namespace {

constexpr unsigned bits = 12;

WhatWasRead parse(std::string_view text, const ReutersOptions& options) {
  WhatWasRead reading =
      read_all(text, {.format = "reuters", .features = {.text = {.bits = bits}}, .reuters = options});
  for (std::size_t row = 0; row < reading.rows.size(); ++row) {
    check_row(reading.rows, row, FeatureView::Index{1} << bits);
    FUZZ_CHECK(reading.rows.time(row) != Examples::no_time);
  }
  return reading;
}

}  // namespace

std::vector<std::string> seeds() {
  return {
      "<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n"
      "<REUTERS TOPICS=\"YES\" LEWISSPLIT=\"TRAIN\" NEWID=\"1\">\n<DATE>26-FEB-1987 15:01:01.79</DATE>\n"
      "<TOPICS><D>cocoa</D><D>trade</D></TOPICS>\n<TEXT>&#2;\n<TITLE>COCOA &amp; CO</TITLE>\n"
      "<DATELINE>PARIS, Feb 26 - </DATELINE><BODY>Beans of &lt;M\xfcller> caf&#233;\n "
      "Reuter\n&#3;</BODY></TEXT>\n"
      "</REUTERS>\n"
      "<REUTERS TOPICS=\"NO\" LEWISSPLIT=\"TEST\">\n<DATE> 1-MAR-1987 "
      "605:12:19.1&#5;F</DATE>\n<TOPICS></TOPICS>\n"
      "<TEXT TYPE=\"UNPROC\">all of it <AUTHOR>me</AUTHOR></TEXT>\n</REUTERS>\n",
      "<REUTERS>\n<DATE>26-FEB-1987</DATE><TOPICS><D>a</D></TOPICS><TEXT></TEXT></REUTERS><REUTERS>\r\n"
      "<DATE>x</DATE><TOPICS>a</TOPICS><TEXT><BODY></TEXT></REUTERS>\r\n junk <REUTERS TOPICS=\"YES\" "
      "LEWISSPLIT=\"TEST\"><DATE>29-FEB-1987</DATE></REUTERS>\n<REUTERS>"};
}

}  // namespace askfew::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askfew::fuzz;
  using Split = askfew::ReutersOptions::Split;
  const std::string_view text = text_of(data, size);
  const std::size_t all = parse(text, {}).rows.size();
  const std::size_t both = parse(text, {.split = Split::modapte}).rows.size();
  const std::size_t train = parse(text, {.split = Split::modapte_train}).rows.size();
  const std::size_t test = parse(text, {.split = Split::modapte_test}).rows.size();
  FUZZ_CHECK(train + test == both && both <= all);
  FUZZ_CHECK(parse(text, {.with_topics = true}).rows.size() <= all);
  return 0;
}
