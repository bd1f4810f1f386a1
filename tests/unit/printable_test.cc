#include "askfew/config/printable.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace askfew {
namespace {

TEST(Printable, a_plain_name_is_unchanged) {
  for (const char* name : {"spam", "two words", "-1", "j\u00e4ger", "\u4e2d\u6587", "back\\slash", "a'b"}) {
    EXPECT_EQ(printable(name), name);
  }
}

TEST(Printable, a_name_that_is_not_plain_becomes_a_json_string) {
  for (const char* name :
       {"", "tab\t", "line\n", "\x1b[31m", "say \"x\"", "\x7f", "\u0085", "\u202e", "\u2028"}) {
    const std::string text = printable(name);
    EXPECT_EQ(nlohmann::json::parse(text).get<std::string>(), name);
    for (const char c : text) EXPECT_GE(static_cast<unsigned char>(c), 0x20) << name;
  }
  EXPECT_EQ(printable("\x1b\u202e"), "\"\\u001b\\u202e\"");
}

TEST(Printable, a_name_with_a_separator_becomes_a_json_string) {
  EXPECT_EQ(printable("a,b"), "a,b");
  EXPECT_EQ(printable("a,b", ","), "\"a,b\"");
}

TEST(Printable, bytes_that_are_not_utf8_are_replaced) {
  EXPECT_EQ(printable("a\xff"), "\"a\\ufffd\"");
}

TEST(Printable, a_message_keeps_all_harmless_characters) {
  EXPECT_EQ(without_controls("a \"b\", j\u00e4ger"), "a \"b\", j\u00e4ger");
  EXPECT_EQ(without_controls("a\x1b[0m\xff\u202e"), "a\\x1b[0m\\xff\\u202e");
}

}  // namespace
}  // namespace askfew
