// The codes of a cache: values and indices are read again to the bit, and bytes that no cache writes are
// refused.

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>
#include <rapidcheck/gtest.h>

#include "askfew/streams/formats/cache/indices.h"
#include "askfew/streams/formats/cache/values.h"

namespace askfew {
namespace {

using Values = std::vector<double>;

bool same_bits(const Values& a, const Values& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

Values decoded(const CodedValues& coded, std::size_t size) {
  Values values(size);
  EXPECT_TRUE(decode_values(coded.code, coded.parameter, coded.bytes, values));
  return values;
}

/// Finite doubles from random bytes: all exponents, all signs, subnormal numbers and zeros.
rc::Gen<Values> any_values() {
  return rc::gen::container<Values>(
      rc::gen::suchThat(rc::gen::map(rc::gen::arbitrary<std::uint64_t>(),
                                     [](std::uint64_t bits) { return std::bit_cast<double>(bits); }),
                        [](double v) { return std::isfinite(v); }));
}

/// The value that a text with this many decimals is read as.
Values decimals(const std::vector<std::int32_t>& numerators, int places) {
  Values values;
  for (const std::int32_t m : numerators) values.push_back(std::stod(fmt::format("{}e-{}", m, places)));
  return values;
}

RC_GTEST_PROP(ValueCode, doubles_give_back_every_bit, ()) {
  const Values values = *any_values();
  RC_ASSERT(same_bits(decoded(encode_as_doubles(values), values.size()), values));
}

RC_GTEST_PROP(ValueCode, floats_give_back_every_bit, (const std::vector<float>& floats)) {
  Values values;
  for (const float v : floats) {
    if (std::isfinite(v)) values.push_back(v);
  }
  const auto coded = encode_as_floats(values);
  RC_ASSERT(coded.has_value());
  RC_ASSERT(coded->bytes.size() == 4 * values.size());
  RC_ASSERT(same_bits(decoded(*coded, values.size()), values));
}

RC_GTEST_PROP(ValueCode, a_table_gives_back_every_bit, (bool a_byte_each)) {
  const Values few = *rc::gen::nonEmpty(any_values());
  const auto places = *rc::gen::nonEmpty(rc::gen::arbitrary<std::vector<std::uint16_t>>());
  Values values;
  for (const std::uint16_t place : places) values.push_back(few[place % few.size()]);
  const auto coded = encode_as_table(values, a_byte_each);
  RC_ASSERT(coded.has_value());
  RC_ASSERT(same_bits(decoded(*coded, values.size()), values));
}

RC_GTEST_PROP(ValueCode, decimals_give_back_every_bit, ()) {
  const auto numerators = *rc::gen::container<std::vector<std::int32_t>>(
      rc::gen::oneOf(rc::gen::inRange<std::int32_t>(1, 1000),
                     rc::gen::inRange<std::int32_t>(-2'000'000'000, 2'000'000'000)));
  const Values values = decimals(numerators, *rc::gen::inRange(0, 23));
  // Decimals cannot represent "-0": it would be written without its sign.
  RC_PRE(std::none_of(numerators.begin(), numerators.end(), [](auto m) { return m == 0; }));
  const auto coded = encode_as_decimals(values);
  RC_ASSERT(coded.has_value());
  RC_ASSERT(same_bits(decoded(*coded, values.size()), values));
}

RC_GTEST_PROP(ValueCode, the_chosen_code_gives_back_every_bit, (bool a_byte_each)) {
  const Values values = *rc::gen::oneOf(
      any_values(), rc::gen::map(rc::gen::arbitrary<std::vector<std::int16_t>>(), [](const auto& shorts) {
        Values tenths;
        for (const auto m : shorts) tenths.push_back(m / 10.0);
        return tenths;
      }));
  const CodedValues coded = encode_values(values, a_byte_each);
  RC_ASSERT(same_bits(decoded(coded, values.size()), values));
  RC_ASSERT(!a_byte_each || coded.bytes.size() >= values.size());
}

TEST(ValueCode, multiplication_and_division_both_give_the_nearest_double) {
  // Up to 8 decimals are divided by multiplication, more by division: both give the double nearest to m /
  // 10^k.
  std::mt19937 random(1);
  for (unsigned k = 0; k <= 12; ++k) {
    std::string bytes;
    Values expected;
    for (int n = 0; n < 20000; ++n) {
      const auto m = static_cast<std::int32_t>(random() >> (n % 32));
      bytes.append(reinterpret_cast<const char*>(&m), sizeof m);
      expected.push_back(m / std::pow(10.0, k));
    }
    Values values(expected.size());
    ASSERT_TRUE(decode_values(ValueCode::decimal32, k, bytes, values));
    EXPECT_TRUE(same_bits(values, expected)) << k;
  }
}

TEST(ValueCode, the_shortest_code_is_chosen) {
  const auto code = [](const Values& values) { return encode_values(values, false); };
  EXPECT_EQ(code(Values(1000, 1.0)).bytes.size(), 8U);  // all equal
  Values pixels;
  Values prices;
  Values shares;
  Values floats;
  Values others;
  for (int k = 0; k < 1000; ++k) {
    pixels.push_back(k % 256 / 255.0);
    prices.push_back(k / 100.0);
    shares.push_back(std::stod(fmt::format("0.{:06d}", k * 997 + 1)));
    floats.push_back(static_cast<float>(std::sqrt(k)));
    others.push_back(std::sqrt(k));
  }
  EXPECT_EQ(code(pixels).code, ValueCode::table);
  EXPECT_EQ(code(pixels).bytes.size(), 256 * 8 + 1000U);
  EXPECT_EQ(code(prices).code, ValueCode::decimal16);
  EXPECT_EQ(code(prices).bytes.size(), 2000U);
  EXPECT_EQ(code(shares).code, ValueCode::decimal32);
  EXPECT_EQ(code(shares).parameter, 6U);
  EXPECT_EQ(code(floats).code, ValueCode::float32);
  EXPECT_EQ(code(others).code, ValueCode::float64);
}

TEST(ValueCode, a_negative_zero_stays_negative) {
  const Values values{-0.0, 0.5, 0.0, -0.0};
  EXPECT_TRUE(same_bits(decoded(encode_values(values, false), values.size()), values));
  EXPECT_FALSE(encode_as_decimals(values));
}

TEST(ValueCode, bytes_that_no_encoder_writes_are_refused) {
  Values values(4);
  const auto refused = [&](ValueCode code, std::uint32_t parameter, const std::string& bytes) {
    return !decode_values(code, parameter, bytes, values);
  };
  const double one = 1;
  const double no_number = std::nan("");
  const std::string table(reinterpret_cast<const char*>(&one), sizeof one);
  const std::string nan_table(reinterpret_cast<const char*>(&no_number), sizeof no_number);
  EXPECT_FALSE(refused(ValueCode::table, 1, table));
  EXPECT_FALSE(refused(ValueCode::table, 1, table + std::string(4, '\0')));
  EXPECT_TRUE(refused(ValueCode::table, 1, nan_table));
  EXPECT_TRUE(refused(ValueCode::table, 1, table + std::string(4, '\1')));  // the entry does not exist
  EXPECT_TRUE(refused(ValueCode::table, 1, table + std::string(3, '\0')));
  EXPECT_TRUE(refused(ValueCode::table, 0, std::string(4, '\0')));
  EXPECT_TRUE(refused(ValueCode::table, 2, table));
  EXPECT_TRUE(refused(ValueCode::table, 257, std::string(257 * 8 + 4, '\0')));
  EXPECT_TRUE(refused(ValueCode::decimal16, 2, std::string(9, '\0')));
  EXPECT_TRUE(refused(ValueCode::decimal32, 2, std::string(8, '\0')));
  EXPECT_TRUE(refused(ValueCode::decimal32, 23, std::string(16, '\0')));
  EXPECT_TRUE(refused(ValueCode::float32, 0, std::string(16, '\xff')));  // not a number
  EXPECT_TRUE(refused(ValueCode::float64, 0, std::string(32, '\xff')));
  EXPECT_TRUE(refused(ValueCode::float64, 0, std::string(24, '\0')));
  EXPECT_TRUE(refused(static_cast<ValueCode>(77), 0, ""));
}

using Indices = std::vector<FeatureView::Index>;

std::uint64_t decode(const CodedIndices& coded, std::size_t from, std::span<FeatureView::Index> indices) {
  const char* gaps = coded.bytes.data() + from * coded.width;
  if (coded.width == 1) return decode_indices<std::uint8_t>(gaps, indices);
  if (coded.width == 2) return decode_indices<std::uint16_t>(gaps, indices);
  return decode_indices<std::uint32_t>(gaps, indices);
}

RC_GTEST_PROP(IndexCode, gives_back_the_indices, ()) {
  const auto largest = *rc::gen::element<std::uint32_t>(90, 3000, 200'000, 4'000'000'000);
  const auto rows = *rc::gen::container<std::vector<std::set<FeatureView::Index>>>(
      rc::gen::container<std::set<FeatureView::Index>>(rc::gen::inRange<FeatureView::Index>(0, largest)));
  Indices all;
  std::vector<std::uint32_t> sizes;
  for (const auto& row : rows) {
    all.insert(all.end(), row.begin(), row.end());
    sizes.push_back(static_cast<std::uint32_t>(row.size()));
  }
  const CodedIndices coded = encode_indices(all, sizes);
  RC_ASSERT(coded.bytes.size() == all.size() * coded.width);
  Indices read(all.size());
  std::size_t at = 0;
  for (const std::uint32_t size : sizes) {
    const std::uint64_t extent = decode(coded, at, std::span(read).subspan(at, size));
    RC_ASSERT(extent == (size == 0 ? 0 : std::uint64_t{all[at + size - 1]} + 1));
    at += size;
  }
  RC_ASSERT(read == all);
}

TEST(IndexCode, is_as_short_as_the_gaps_between_indices_permit) {
  const std::vector<std::uint32_t> one{3};
  EXPECT_EQ(encode_indices(Indices{255, 256, 512}, one).width, 1);
  EXPECT_EQ(encode_indices(Indices{256, 257, 258}, one).width, 2);
  EXPECT_EQ(encode_indices(Indices{65535, 131071, 131072}, one).width, 2);
  EXPECT_EQ(encode_indices(Indices{0, 65537, 65538}, one).width, 4);
}

TEST(IndexCode, decoded_indices_ascend_whatever_the_bytes_are_and_the_end_is_reported) {
  for (const std::size_t size : {1U, 7U, 40'000U, 200'000U}) {
    const std::string widest(2 * size, '\xff');
    Indices indices(size);
    const std::uint64_t extent = decode_indices<std::uint16_t>(widest.data(), indices);
    EXPECT_EQ(extent, size * std::uint64_t{65536});
    if (extent <= std::uint64_t{1} << 32) {
      EXPECT_EQ(std::adjacent_find(indices.begin(), indices.end(), std::greater_equal<>()), indices.end());
      EXPECT_EQ(indices.back(), static_cast<FeatureView::Index>(extent - 1));
    }
  }
}

}  // namespace
}  // namespace askfew
