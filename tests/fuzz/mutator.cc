#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>

namespace askfew::fuzz {
namespace {

constexpr std::size_t max_bytes = 1U << 14;

/// Random choices from the project's counter-based coin, with seed and input as key.
class Dice {
 public:
  explicit Dice(CoinKey key) : coin_(key) {}

  /// Uniform in 0, ..., n - 1. REQUIRES: n > 0.
  std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(coin_(++thrown_) * static_cast<double>(n));
  }
  template <class C>
  const auto& one_of(const C& choices) {
    return choices[below(choices.size())];
  }

 private:
  Coin coin_;
  std::uint64_t thrown_ = 0;
};

struct Slice {
  std::size_t at = 0;
  std::size_t size = 0;
};

Slice any_slice(const std::string& input, Dice& dice, std::size_t most) {
  const std::size_t at = dice.below(input.size());
  return {.at = at, .size = 1 + dice.below(std::min(most, input.size() - at))};
}

void flip_bit(std::string& input, Dice& dice) {
  char& byte = input[dice.below(input.size())];
  byte = static_cast<char>(byte ^ (1 << dice.below(8)));
}

void change_byte(std::string& input, Dice& dice) {
  static constexpr std::string_view bytes("\0\x01\x7f\x80\xff \t\r\n:,.#+-=\"{}[]0eE\x1f\x8b", 27);
  input[dice.below(input.size())] = dice.one_of(bytes);
}

void insert_bytes(std::string& input, Dice& dice) {
  std::string bytes(1 + dice.below(8), '\0');
  for (char& byte : bytes) byte = static_cast<char>(dice.below(256));
  input.insert(dice.below(input.size() + 1), bytes);
}

void delete_bytes(std::string& input, Dice& dice) {
  const Slice slice = any_slice(input, dice, 16);
  input.erase(slice.at, slice.size);
}

void cut_off(std::string& input, Dice& dice) {
  input.resize(dice.below(input.size()));
}

void copy_slice(std::string& input, Dice& dice) {
  const Slice slice = any_slice(input, dice, 64);
  input.insert(dice.below(input.size() + 1), input.substr(slice.at, slice.size));
}

/// Numbers as text: limits of types, values beyond them, and texts that are not numbers.
void change_number(std::string& input, Dice& dice) {
  static const std::vector<std::string> extremes{"0",
                                                 "-1",
                                                 "1",
                                                 "2",
                                                 "00000000000000000001",
                                                 "255",
                                                 "256",
                                                 "134217728",
                                                 "134217729",
                                                 "2147483647",
                                                 "2147483648",
                                                 "4294967295",
                                                 "4294967296",
                                                 "1e999",
                                                 "-1e999",
                                                 "1e-999",
                                                 "1e308",
                                                 "-1.7976931348623157e308",
                                                 "1e160",
                                                 "1e-160",
                                                 "5e-324",
                                                 "nan",
                                                 "-inf",
                                                 "9223372036854775808",
                                                 "-0",
                                                 "1e",
                                                 "0x10",
                                                 "1.",
                                                 "18446744073709551615",
                                                 "18446744073709551616",
                                                 "true",
                                                 "null",
                                                 "0.1",
                                                 "[]",
                                                 std::string(400, '9'),
                                                 "0." + std::string(800, '3')};
  constexpr std::string_view digits = "0123456789";
  const std::size_t first = input.find_first_of(digits, dice.below(input.size()));
  if (first == std::string::npos) return;
  const std::size_t past = std::min(input.find_first_not_of("0123456789.eE+-", first), input.size());
  input.replace(first, past - first, dice.one_of(extremes));
}

/// Numbers as bytes, of any width and byte order.
void change_word(std::string& input, Dice& dice) {
  static constexpr std::array<std::uint64_t, 8> words{
      0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x0100000001000000, 0x7fffffffffffffff, ~std::uint64_t{0}};
  const std::uint64_t word = dice.one_of(words);
  const std::size_t width = std::min(std::size_t{1} << dice.below(4), input.size());
  char* at = input.data() + dice.below(input.size() - width + 1);
  std::memcpy(at, &word, width);
  if (dice.below(2) == 1) std::reverse(at, at + width);
}

/// Takes a piece between two commas, line ends or blanks, and repeats or removes it.
void change_piece(std::string& input, Dice& dice) {
  static constexpr std::string_view marks("\n, :", 4);
  const char mark = dice.one_of(marks);
  const std::size_t at = input.find(mark, dice.below(input.size()));
  if (at == std::string::npos) return;
  const std::size_t past = std::min(input.find(mark, at + 1), input.size());
  if (dice.below(3) == 0) {
    input.erase(at, past - at);
  } else {
    input.insert(past, input.substr(at, past - at));
  }
}

constexpr std::array operations{flip_bit,   change_byte,   insert_bytes,  delete_bytes, cut_off,
                                copy_slice, change_number, change_number, change_word,  change_piece};

}  // namespace

std::string mutated(const std::vector<std::string>& seeds, std::uint64_t seed, std::uint64_t n) {
  if (n < seeds.size()) return seeds[n];
  Dice dice({.seed = seed, .task = n});
  std::string input = dice.one_of(seeds);
  if (dice.below(8) == 0) {  // the beginning of one input, the end of another
    const std::string& other = dice.one_of(seeds);
    input = input.substr(0, dice.below(input.size() + 1)) + other.substr(dice.below(other.size() + 1));
  }
  const std::size_t changes = std::size_t{1} << dice.below(4);
  for (std::size_t k = 0; k < changes && !input.empty() && input.size() < max_bytes; ++k) {
    dice.one_of(operations)(input, dice);
  }
  return input;
}

}  // namespace askfew::fuzz
