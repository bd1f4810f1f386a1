#include "askfew/config/text.h"

#include <gtest/gtest.h>

namespace askfew {
namespace {

TEST(Utf8, valid_texts_are_accepted) {
  for (const char* text : {"", "abc", "j\u00e4ger", "\u20ac", "\U0001F600", "\u07ff\u0800\uffff"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(Utf8, invalid_bytes_are_refused) {
  for (const char* text : {"j\xe4ger", "\x80", "\xc3", "\xe2\x82", "\xc0\xaf" /* overlong */,
                           "\xe0\x80\xaf" /* overlong */, "\xed\xa0\x80" /* surrogate */, "\xf0\x80\x80\xaf",
                           "\xf4\x90\x80\x80" /* beyond U+10FFFF */, "\xff"}) {
    EXPECT_FALSE(is_utf8(text)) << in_quotes(text);
  }
}

TEST(InQuotes, quoted_texts_contain_no_control_sequences) {
  EXPECT_EQ(in_quotes("a\x1b[31m\r\n\x7f"), "'a\\x1b[31m\\x0d\\x0a\\x7f'");
  EXPECT_EQ(in_quotes(std::string_view("a\0b", 3)), "'a\\x00b'");
  EXPECT_EQ(in_quotes("j\xe4ger"), "'j\\xe4ger'");
  EXPECT_EQ(in_quotes("j\u00e4ger"), "'j\u00e4ger'");
  EXPECT_EQ(in_quotes("\u202eturned"), "'\\u202eturned'");
}

TEST(InQuotes, long_texts_are_shortened) {
  EXPECT_EQ(in_quotes(std::string(100, 'x')), "'" + std::string(40, 'x') + "...'");
}

TEST(JsonString, characters_with_a_meaning_in_json_are_escaped) {
  std::string out = "x";
  append_json_string("a \"b\" \\c\n\x01", out);
  EXPECT_EQ(out, "x\"a \\\"b\\\" \\\\c\\u000a\\u0001\"");
  out.clear();
  append_json_string("", out);
  append_json_string("j\u00e4ger", out);
  EXPECT_EQ(out, "\"\"\"j\u00e4ger\"");
}

}  // namespace
}  // namespace askfew
