#include "askfew/features/words.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <utf8proc.h>

namespace askfew {
namespace {

using List = std::vector<std::string>;

List words_of(std::string_view text, bool fold = true) {
  const WordSplitter splitter(fold);
  Words words;
  splitter.split(text, words);
  return {words.list.begin(), words.list.end()};
}

TEST(Words, are_runs_of_letters_and_digits) {
  EXPECT_EQ(words_of("Real-time strategy, 2 games!"), (List{"real", "time", "strategy", "2", "games"}));
  EXPECT_EQ(words_of("don't_x@[`{/:"), (List{"don", "t", "x"}));
  EXPECT_EQ(words_of("A1b2 Z"), (List{"a1b2", "z"}));
  EXPECT_EQ(words_of("A1b2 Z", false), (List{"A1b2", "Z"}));
}

TEST(Words, an_empty_text_has_none) {
  EXPECT_EQ(words_of(""), List{});
  EXPECT_EQ(words_of(" -- ... "), List{});
  EXPECT_EQ(words_of(std::string(1000, ' ')), List{});
  EXPECT_EQ(words_of(std::string(3, '\0')), List{});
}

TEST(Words, can_have_any_length_and_be_anywhere) {
  for (std::size_t before = 0; before < 130; ++before) {
    for (const std::size_t length : {1U, 2U, 63U, 64U, 65U, 128U, 1000U}) {
      const std::string word(length, 'X');
      EXPECT_EQ(words_of(std::string(before, '.') + word), List{std::string(length, 'x')});
      EXPECT_EQ(words_of(std::string(before, '.') + word + " y"), (List{std::string(length, 'x'), "y"}));
    }
  }
  EXPECT_EQ(words_of(std::string(1'000'000, 'q')), List{std::string(1'000'000, 'q')});
}

TEST(Words, say_whether_their_text_is_utf_8) {
  const WordSplitter splitter(true);
  Words words;
  for (const auto& [text, is_utf8] : {std::pair<std::string, bool>{"plain", true},
                                      {"caf\xe9", false},
                                      {"café 東京 ½ 😀", true},
                                      {"\xe9t\xe9", false},
                                      {"a \x80 b", false},
                                      {"\xed\xa0\x80", false},
                                      {"", true},
                                      {std::string(100, '.') + "\xff", false},
                                      {"naïve", true}}) {
    splitter.split(text, words);
    EXPECT_EQ(words.are_utf8, is_utf8) << text;
  }
}

TEST(Words, have_letters_marks_and_numbers_of_every_script) {
  EXPECT_EQ(words_of("Überraschung, naïve CAFÉ"), (List{"überraschung", "naïve", "café"}));
  EXPECT_EQ(words_of("«Привет», МИР! ΣΊΣΥΦΟΣ"), (List{"привет", "мир", "σίσυφοσ"}));
  EXPECT_EQ(words_of("東京、大阪。"), (List{"東京", "大阪"}));
  EXPECT_EQ(words_of("हिन्दी"), List{"हिन्दी"});  // with marks
  EXPECT_EQ(words_of("E\u0301tude 10² Ⅷ ½"), (List{"e\u0301tude", "10²", "ⅷ", "½"}));
  EXPECT_EQ(words_of("a😀b — c\u00a0d\u200be"), (List{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(words_of("𝒳 𐐀"), (List{"𝒳", "𐐨"}));  // beyond the first 65,536 characters
}

TEST(Words, are_case_folded_as_unicode_defines) {
  EXPECT_EQ(words_of("STRASSE Straße"), (List{"strasse", "strasse"}));
  EXPECT_EQ(words_of("ﬃ İ ŉ ΐ"), (List{"ffi", "i\u0307", "\u02bcn", "\u03b9\u0308\u0301"}));
  EXPECT_EQ(words_of("Straße İ ÉTÉ", false), (List{"Straße", "İ", "ÉTÉ"}));
}

TEST(Words, a_byte_that_is_not_utf8_is_a_letter) {
  EXPECT_EQ(words_of("Caf\xe9 x"), (List{"caf\xe9", "x"}));  // Latin 1
  EXPECT_EQ(words_of("\xff\xfe. \x80"), (List{"\xff\xfe", "\x80"}));
  EXPECT_EQ(words_of("a\xc3"), List{"a\xc3"});  // truncated
  EXPECT_EQ(words_of("\xe6\x9d b"), (List{"\xe6\x9d", "b"}));
  EXPECT_EQ(words_of("\xc0\xaf"), List{"\xc0\xaf"});                  // an overlong encoding
  EXPECT_EQ(words_of("\xed\xa0\x80"), List{"\xed\xa0\x80"});          // half of a surrogate pair
  EXPECT_EQ(words_of("\xf4\x90\x80\x80"), List{"\xf4\x90\x80\x80"});  // beyond the last character
}

std::string utf8(int character) {
  std::string bytes(4, '\0');
  bytes.resize(static_cast<std::size_t>(
      utf8proc_encode_char(character, reinterpret_cast<utf8proc_uint8_t*>(bytes.data()))));
  return bytes;
}

TEST(Words, agree_with_the_category_and_folding_of_every_character) {
  const WordSplitter splitter(true);
  Words words;
  for (int c = 0; c < 0x110000; ++c) {
    if (c >= 0xd800 && c < 0xe000) continue;  // surrogates
    const std::string text = utf8(c);
    splitter.split(text, words);
    const std::string category = utf8proc_category_string(c);
    if (std::string("LMN").find(category[0]) == std::string::npos) {
      ASSERT_TRUE(words.list.empty()) << c;
      continue;
    }
    utf8proc_uint8_t* folded = nullptr;
    utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                 static_cast<utf8proc_ssize_t>(text.size()), &folded, UTF8PROC_CASEFOLD);
    const std::string expected(reinterpret_cast<const char*>(folded));
    std::free(folded);
    ASSERT_EQ(words.list.size(), 1) << c;
    ASSERT_EQ(words.list[0], expected) << c;
    ASSERT_LE(expected.size(), Letters::max_growth * text.size()) << c;
  }
}

/// Finds words one character at a time, without blocks.
List naive_words(std::string_view text) {
  const Letters letters(true);
  List words;
  std::string word;
  while (!text.empty()) {
    char out[16];
    Letters::Step step{.taken = 1, .written = 0};
    const auto first = static_cast<unsigned char>(text[0]);
    if (first >= 0x80) {
      step = letters.take(text, out);
    } else if (std::isalnum(first) != 0) {
      out[0] = static_cast<char>(std::tolower(first));
      step.written = 1;
    }
    if (step.written == 0 && !word.empty()) words.push_back(std::exchange(word, {}));
    word.append(out, step.written);
    text.remove_prefix(step.taken);
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

TEST(Words, found_in_blocks_equal_those_found_character_by_character) {
  const std::vector<std::string> pieces{"a",  "Z",  "9", " ",    ".",  "é",   "É",
                                        "東", "、", "ß", "\xff", "😀", "xyz", "\xc3"};
  std::mt19937 random(3);
  const WordSplitter splitter(true);
  Words words;  // reused, as in a stream
  for (int k = 0; k < 3000; ++k) {
    std::string text;
    const std::size_t kinds = 1 + random() % pieces.size();
    const std::size_t length = random() % 300;
    while (text.size() < length) text += pieces[random() % kinds];
    splitter.split(text, words);
    ASSERT_EQ(List(words.list.begin(), words.list.end()), naive_words(text)) << text;
  }
}

}  // namespace
}  // namespace askfew
