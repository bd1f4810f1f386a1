#include "askfew/streams/formats/common/pairs.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <fast_float/fast_float.h>
#include <gtest/gtest.h>
#include <random>

#include "tests/unit/instruction_sets.h"

namespace askfew {
namespace {

/// A text that can be read beyond its ends, and its tokens.
class Padded {
 public:
  explicit Padded(const std::string& text)
      : bytes_(std::string(64, ':') + text + std::string(64, '7')), size_(text.size()) {}
  [[nodiscard]] std::string_view text() const { return {bytes_.data() + 64, size_}; }

 private:
  std::string bytes_;
  std::size_t size_;
};

/// The value that fast_float reads from a whole token.
std::optional<double> by_fast_float(const std::string& token) {
  double value = 0;
  const auto [past, error] = fast_float::from_chars(token.data(), token.data() + token.size(), value);
  if (error != std::errc{} || past != token.data() + token.size()) return std::nullopt;
  return value;
}

struct Read {
  PairsRead result;
  std::vector<FeatureView::Index> indices;
  std::vector<double> values;
};

/// Reads `index:value` tokens as in a line.
Read read(const std::vector<std::string>& pairs, FeatureView::Index base = 1) {
  std::string line = "1";
  for (const std::string& pair : pairs) line += " " + pair;
  const Padded padded(line + " \n");  // a return before the line end would belong to it
  static PairMarks marks;             // large
  marks.find(padded.text(), '\n');
  std::vector<MarkedLine> lines;
  marks.for_each_line([&](const MarkedLine& found) {
    lines.push_back(found);
    return true;
  });
  EXPECT_EQ(lines.size(), 1);
  const std::size_t count = lines.front().colon_count;
  Read read{.result = {},
            .indices = std::vector<FeatureView::Index>(count + pair_slack),
            .values = std::vector<double>(count + pair_slack)};
  read.result = read_pairs({padded.text().data(), lines.front().ends, lines.front().colons, count}, base, 0,
                           {read.indices.data(), read.values.data()});
  read.indices.resize(count);
  read.values.resize(count);
  return read;
}

/// A random number as programs write it: short decimals, %g, %e, %.17g, whole numbers of any size, and
/// strings of digits with a point anywhere, an exponent and a sign.
std::string random_number(std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const double power = std::pow(10.0, static_cast<double>(below(40)) - 20);
  const double value = (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5) * power;
  char text[64] = {};
  switch (below(8)) {
    case 0:
      std::snprintf(text, sizeof text, "%g", value);
      return text;
    case 1:
      std::snprintf(text, sizeof text, "%.17g", value);
      return text;
    case 2:
      std::snprintf(text, sizeof text, "%e", value);
      return text;
    case 3:
      std::snprintf(text, sizeof text, "%.17g", std::bit_cast<double>(random() & ~(std::uint64_t{1} << 62)));
      return text;
    case 4:  // halfway between two doubles, or next to it
      return std::to_string((std::uint64_t{1} << 53) + (random() >> 12 | 1)) + (below(2) == 0 ? ".0" : ".1");
    default:
      break;
  }
  std::string token;
  const std::size_t digits = 1 + below(below(3) == 0 ? 26 : 8);
  for (std::size_t k = 0; k < digits; ++k) token += static_cast<char>('0' + below(below(2) == 0 ? 2 : 10));
  if (below(4) != 0) token.insert(below(digits), ".");
  if (below(4) == 0) token.insert(0, "-");
  if (below(6) == 0) token += (below(2) == 0 ? "e" : "E") + std::to_string(static_cast<int>(below(60)) - 30);
  return token;
}

TEST(Pairs, values_equal_those_of_fast_float_to_the_bit) {
  std::mt19937_64 random(1);
  with_every_instruction_set([&](std::int64_t) {
    for (int trial = 0; trial < 20'000; ++trial) {
      std::vector<std::string> tokens(1 + random() % 20);
      std::vector<std::string> pairs;
      double squares = 0;
      for (std::string& token : tokens) {
        do token = random_number(random);
        while (!by_fast_float(token));  // a number that is too large or too small
        pairs.push_back(std::to_string(1 + random() % (trial % 8 == 0 ? 4'294'967'295 : 99'999'999)) + ":" +
                        token);
      }
      const Read got = read(pairs);
      ASSERT_TRUE(got.result.usual) << pairs[0];
      for (std::size_t k = 0; k < tokens.size(); ++k) {
        const double expected = by_fast_float(tokens[k]).value();
        ASSERT_EQ(std::bit_cast<std::uint64_t>(got.values[k]), std::bit_cast<std::uint64_t>(expected))
            << tokens[k];
        ASSERT_EQ(std::to_string(std::uint64_t{got.indices[k]} + 1), pairs[k].substr(0, pairs[k].find(':')));
        squares += expected * expected;
      }
      ASSERT_EQ(got.result.squared_norm, squares);
      ASSERT_EQ(got.result.has_zero, std::count(got.values.begin(), got.values.end(), 0.0) > 0);
    }
  });
}

TEST(Pairs, hard_numbers_are_rounded_correctly) {
  with_every_instruction_set([&](std::int64_t) {
    for (const char* value :
         {"0", "1", "-1", "0.5", ".5", "-.5", "99999999", "-9999999", "0.000001", "123456.7", "00000000",
          "-0", "0.0", "0000.001",
          // around 2^52, 2^53 and 2^64
          "4503599627370495", "4503599627370496", "4503599627370497.5", "9007199254740991",
          "9007199254740992", "9007199254740993", "9007199254740993.0", "9007199254740995",
          "9999999999999999999", "10000000000000000000", "18446744073709551615", "18446744073709551616",
          "184467440737095516150",
          // halfway between two doubles, and next to it
          "1.00000000000000011102230246251565", "1.0000000000000001110223", "2.2250738585072011e-308",
          "9007199254740993e0", "9007199254740993e-1", "0.1e22", "1e22", "1e23", "1e-22", "1e-23", "123e22",
          "4503599627370497e22", "8.5e-23", "6.6312909626e-308",
          // the ends of the range, and zeros with large exponents
          "1.7976931348623157e308", "1.7976931348623157e+308", "2.2250738585072014e-308", "5e-324",
          "4.9e-324", "0e0", "0e999", "-0.0e-999", "0.00000000000000000000001",
          "0.0000000000000000000000000001", "12345678901234567890123456789", "1e0000000005", "5.", "5.e3",
          "+1", "+.5", "+1e+5", "1E5", "-1E-5", "1e00", "7e-05",
          // more than eight characters that begin with a sign, zeros and a point
          "0.0702142", "0.00350877", "-0.0702142", "-0.00350877", ".12345678", "-.12345678", "-12345678",
          "0.12345678", "00.1234567", "-00.123456", "000.1234567", "0.00000000", "-0.00000000", "012345678",
          "0.1234567", "01234.567", "-01234.5678", "00000000000"}) {
      const std::string token(value);
      const Read got = read({"12345678:" + token});
      ASSERT_TRUE(got.result.usual) << value;
      const double expected = by_fast_float(token[0] == '+' ? token.substr(1) : token).value();
      EXPECT_EQ(std::bit_cast<std::uint64_t>(got.values[0]), std::bit_cast<std::uint64_t>(expected)) << value;
      EXPECT_EQ(got.indices[0], 12345677U);
    }
  });
}

TEST(Pairs, single_characters_are_digits_or_not_read) {
  with_every_instruction_set([](std::int64_t) {
    for (int c = 1; c < 256; ++c) {
      const std::string character(1, static_cast<char>(c));
      if (std::string(" \t\n:").find(character) != std::string::npos) continue;
      for (const std::size_t at : {0U, 7U, 8U, 16U}) {
        std::vector<std::string> pairs(17, "3:4");
        pairs[at] = "3:" + character;
        const Read got = read(pairs);
        ASSERT_EQ(got.result.usual, c >= '0' && c <= '9') << character;
        if (!got.result.usual) continue;
        ASSERT_EQ(got.values[at], c - '0');
        ASSERT_EQ(got.result.squared_norm, 16 * 16 + (c - '0') * (c - '0'));
      }
    }
  });
}

TEST(Pairs, tokens_that_are_no_numbers_are_not_read) {
  with_every_instruction_set([](std::int64_t) {
    for (const char* pair : {"1:",
                             ":1",
                             "1:.",
                             "1:-",
                             "1:-.",
                             "1:e5",
                             "1:1e",
                             "1:1e+",
                             "1:1.2.3",
                             "1:..",
                             "1:1..2",
                             "1:--1",
                             "1:1-",
                             "1:-1-",
                             "1:0x1",
                             "1:1,5",
                             "1:nan",
                             "1:inf",
                             "-1:1",
                             "1.5:1",
                             "+1:1",
                             "4294967296:1",
                             "1:1e2e3",
                             "1:1e5.0",
                             "1:1#",
                             "a:1",
                             "1:\r",
                             "1:1\r",
                             "1:/",
                             "1::",
                             "1:5:",
                             "1:\x81\x80",
                             "1:+-1",
                             "1:++1",
                             "1:-+1",
                             "1:1e--5",
                             "1:1e400",

                             "1:1e5-",
                             "1:12345678901234567890x",
                             "1:0.12345678.12345678",
                             "1:-e5",
                             "1:.e5",
                             "1:1e-",
                             "1:12345678-12345678",
                             "1:0-1234567",
                             "1:-0-123456",
                             "1:-0.-123456",
                             "1:0..1234567",
                             "1:.0.1234567",
                             "1:.1234.567",
                             "1:0.1234.567",
                             "1:--0.123456",
                             "1:0.1234567-",
                             "1:0.1234567.",
                             "1:-.-12345678",
                             "1:0.-1234567",
                             "1:0/12345678",
                             "1:E"}) {
      for (const std::size_t at : {0U, 3U, 7U, 8U, 12U}) {
        std::vector<std::string> pairs(13, "7:0.25");
        pairs[at] = pair;
        EXPECT_FALSE(read(pairs).result.usual) << pair << " as pair " << at;
      }
    }
  });
}

TEST(Pairs, any_token_is_read_as_fast_float_reads_it) {
  std::mt19937_64 random(2);
  with_every_instruction_set([&](std::int64_t) {
    for (int trial = 0; trial < 100'000; ++trial) {
      constexpr std::string_view alphabet = "0123456789000.....--+eE#x/,\r\x00\xff";
      std::string token;
      const std::size_t most = trial % 2 == 0 ? 10 : 34;
      for (std::size_t k = random() % most; k-- > 0;) {
        token += alphabet[random() % (trial % 4 < 2 ? alphabet.size() : std::size_t{16})];
      }
      if (trial % 3 == 0) token += "e-1";
      const Padded padded(":" + token + " ");
      const Position colon = 0;
      const auto end = static_cast<Position>(token.size() + 1);
      const std::vector<Position> colons(1 + spare_marks, colon);
      const std::vector<Position> ends(1 + spare_marks, end);
      std::vector<double> value(1 + pair_slack);
      if (read_values(padded.text().data(), colons.data(), ends.data(), 1, value.data()) != 1) {
        const auto number = by_fast_float(token);
        ASSERT_FALSE(number && std::isfinite(*number)) << token;
        continue;
      }
      const auto expected = by_fast_float(token.starts_with('+') ? token.substr(1) : token);
      ASSERT_TRUE(expected) << token;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(value[0]), std::bit_cast<std::uint64_t>(*expected)) << token;
    }
  });
}

TEST(Pairs, values_before_the_first_that_is_no_number_are_counted) {
  with_every_instruction_set([](std::int64_t) {
    for (const std::string bad : {"", "x", "0.1234567x", "1e400", "-", "0.12345678.12345678"}) {
      for (std::size_t wrong = 0; wrong < 20; ++wrong) {
        std::string text = ",";
        std::vector<Position> marks{0};
        for (std::size_t k = 0; k < 20; ++k) {
          text += (k == wrong ? bad : k % 3 == 0 ? "0.0123456" : std::to_string(k)) + ",";
          marks.push_back(static_cast<Position>(text.size() - 1));
        }
        marks.resize(marks.size() + spare_marks);
        const Padded padded(text);
        std::vector<double> values(20 + pair_slack);
        ASSERT_EQ(read_values(padded.text().data(), marks.data(), marks.data() + 1, 20, values.data()), wrong)
            << text;
        for (std::size_t k = 0; k < wrong; ++k)
          ASSERT_EQ(values[k], k % 3 == 0 ? 0.0123456 : static_cast<double>(k));
      }
    }
  });
}

TEST(Pairs, indices_count_from_the_base) {
  with_every_instruction_set([](std::int64_t) {
    EXPECT_EQ(read({"0:1", "7:1"}, 0).indices, (std::vector<FeatureView::Index>{0, 7}));
    EXPECT_EQ(read({"1:1", "7:1"}, 1).indices, (std::vector<FeatureView::Index>{0, 6}));
    EXPECT_EQ(read({"0:1"}, 1).indices[0], ~FeatureView::Index{0});  // an index that no dimension allows
  });
}

TEST(Pairs, ascending_indices_are_distinguished_from_others) {
  with_every_instruction_set([](std::int64_t) {
    for (std::size_t count : {0U, 1U, 2U, 16U, 17U, 18U, 33U, 50U}) {
      std::vector<FeatureView::Index> indices(count);
      for (std::size_t k = 0; k < count; ++k) indices[k] = static_cast<FeatureView::Index>(3 * k);
      EXPECT_TRUE(ascend(indices.data(), count));
      for (std::size_t k = 1; k < count; ++k) {
        std::vector<FeatureView::Index> equal = indices;
        equal[k] = equal[k - 1];
        EXPECT_FALSE(ascend(equal.data(), count)) << k << " of " << count;
      }
    }
    const std::vector<FeatureView::Index> large{1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    EXPECT_TRUE(ascend(large.data(), large.size()));
  });
}

TEST(Marks, are_found_at_every_position) {
  std::mt19937_64 random(3);
  with_every_instruction_set([&](std::int64_t) {
    PairMarks pairs;
    FieldMarks fields;
    for (int trial = 0; trial < 300; ++trial) {
      std::string text(random() % 400, 'x');
      const std::string_view alphabet = trial % 2 == 0 ? " :\n\t|" : "xxxxxxxxx :\n\t|";
      for (char& c : text) c = alphabet[random() % alphabet.size()];
      const Padded padded(text);
      std::vector<Position> ends;
      std::vector<Position> colons;
      std::size_t lines = 0;
      const auto expect_line = [&](const MarkedLine& line) {
        EXPECT_TRUE(std::equal(ends.begin(), ends.end(), line.ends, line.ends + line.end_count));
        EXPECT_TRUE(std::equal(colons.begin(), colons.end(), line.colons, line.colons + line.colon_count));
        ends.clear();
        colons.clear();
        ++lines;
      };
      std::vector<MarkedLine> found;
      pairs.find(padded.text(), '|');
      const auto past = pairs.for_each_line([&](const MarkedLine& line) {
        found.push_back(line);
        return true;
      });
      ASSERT_EQ(past, text.rfind('\n') + 1);
      for (std::size_t k = 0; k < past; ++k) {
        const auto at = static_cast<Position>(k);
        if (text[k] == ':') colons.push_back(at);
        if (text[k] != 'x' && text[k] != ':') ends.push_back(at);
        if (text[k] != '\n') continue;
        ASSERT_LT(lines, found.size());
        expect_line(found[lines]);
      }
      ASSERT_EQ(lines, found.size());
      fields.find(padded.text(), '|');
      const std::size_t count = fields.count();
      const auto bars = static_cast<std::size_t>(std::count(text.begin(), text.end(), '|'));
      ASSERT_EQ(count, bars + lines);
      std::vector<std::uint32_t> ends_of_lines;
      for (std::size_t k = 0; k < count; ++k) {
        const char mark = text[fields.marks()[k]];
        ASSERT_TRUE(mark == '|' || mark == '\n');
        ASSERT_TRUE(k == 0 || fields.marks()[k - 1] < fields.marks()[k]);
        if (mark == '\n') ends_of_lines.push_back(static_cast<std::uint32_t>(k));
      }
      ASSERT_TRUE(std::equal(ends_of_lines.begin(), ends_of_lines.end(), fields.lines(),
                             fields.lines() + fields.line_count()));
    }
  });
}

}  // namespace
}  // namespace askfew
