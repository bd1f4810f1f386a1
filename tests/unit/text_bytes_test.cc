#include "askfew/streams/text_bytes.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "askfew/config/text.h"

namespace askfew {
namespace {

TEST(TextBytes, plain_bytes_are_found_at_every_place_of_a_text_of_every_length) {
  for (std::size_t size = 0; size <= 40; ++size) {
    const std::string plain(size, 'x');
    EXPECT_TRUE(has_plain_bytes(plain));
    for (std::size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text = plain;
        text[at] = static_cast<char>(byte);
        ASSERT_EQ(has_plain_bytes(text), byte > 0 && byte < 128) << size << ' ' << at << ' ' << byte;
        ASSERT_EQ(fault_of_nul(text).empty(), byte != 0);
        ASSERT_EQ(is_utf8(text), byte < 128);
        ASSERT_EQ(utf8_prefix(text), byte < 128 ? size : at);
      }
    }
  }
}

TEST(TextBytes, characters_of_several_bytes_are_utf_8_at_every_place) {
  for (const std::string character : {"é", "東", "😀"}) {
    for (std::size_t before = 0; before < 20; ++before) {
      const std::string text = std::string(before, 'x') + character + "behind it";
      EXPECT_TRUE(is_utf8(text));
      EXPECT_EQ(utf8_prefix(text.substr(0, before + character.size() - 1)), before);
    }
  }
}

}  // namespace
}  // namespace askfew
