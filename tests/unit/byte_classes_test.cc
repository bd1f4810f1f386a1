#include "askfew/features/byte_classes.h"

#include <gtest/gtest.h>
#include <random>

#include "tests/unit/instruction_sets.h"

namespace askfew {
namespace {

bool has_bit(const std::vector<std::uint64_t>& bits, std::size_t k) {
  return (bits[k / 64] >> k % 64 & 1) != 0;
}

/// Compares with one byte after the other.
void expect_classes(const std::string& text, bool fold) {
  ByteClasses classes;
  classes.fill(text, fold);
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    const bool is_capital = c >= 'A' && c <= 'Z';
    const bool is_word = is_capital || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    ASSERT_EQ(has_bit(classes.in_words, k), is_word) << k;
    ASSERT_EQ(has_bit(classes.high, k), static_cast<unsigned char>(c) >= 0x80) << k;
    ASSERT_EQ(classes.folded[k], is_capital && fold ? static_cast<char>(c + 32) : c) << k;
  }
}

TEST(ByteClasses, are_those_of_a_loop_over_bytes_on_every_instruction_set) {
  with_every_instruction_set([](std::int64_t) {
    std::mt19937_64 random(1);
    for (const std::size_t size : {1U, 7U, 8U, 63U, 64U, 65U, 200U, 1000U}) {
      std::string text(size, ' ');
      for (char& c : text) c = static_cast<char>(random() % 256);
      expect_classes(text, true);
      expect_classes(text, false);
    }
  });
}

}  // namespace
}  // namespace askfew
