#include "askfew/math/elementary.h"

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace askfew {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double tiny = std::numeric_limits<double>::denorm_min();
constexpr double largest = std::numeric_limits<double>::max();

/// A uniform number in [0, 1), the same with every library.
double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

/// The distance of `result` from the exact value, in units in the last place of a double of this size.
double error_in_ulp(double result, long double exact) {
  if (std::abs(exact) > largest) return std::isinf(result) ? 0 : infinity;
  int exponent = 0;
  std::frexp(exact, &exponent);
  const long double ulp = std::ldexp(1.0L, std::max(exponent - DBL_MANT_DIG, -1074));
  return static_cast<double>(std::abs(result - exact) / ulp);
}

struct Function {
  double (*ours)(double);
  long double (*exact)(long double);
};
constexpr Function exponential{math::exp, std::exp};
constexpr Function exponential_less_1{math::expm1, std::expm1};
constexpr Function logarithm{math::log, std::log};
constexpr Function logarithm_of_1_more{math::log1p, std::log1p};

/// The largest error over random arguments; `argument` maps numbers in [low, high) to arguments.
double largest_error(Function f, double low, double high, const std::function<double(double)>& argument) {
  std::mt19937_64 random(1);
  double most = 0;
  for (int k = 0; k < 50'000; ++k) {
    const double x = argument(low + (high - low) * uniform(random));
    const double error = error_in_ulp(f.ours(x), f.exact(x));
    if (!(error <= most)) most = error;
  }
  return most;
}
double largest_error(Function f, double low, double high) {
  return largest_error(f, low, high, [](double x) { return x; });
}
double largest_error_over_exponents(Function f, double low, double high) {
  return largest_error(f, low, high, [](double e) { return std::exp2(e); });
}

// The exact values are long doubles with 64 bits or more, with an error of a thousandth of an ulp.
static_assert(LDBL_MANT_DIG >= 64);

TEST(Elementary, Errors_of_exp_stay_below_0_52_ulp_and_below_0_76_where_it_is_subnormal) {
  for (const double range : {1e-9, 1e-3, 0.1, 1.0, 30.0, 708.0}) {
    EXPECT_LT(largest_error(exponential, -range, range), 0.52) << range;
  }
  EXPECT_LT(largest_error(exponential, 708, 709.78), 0.52);
  EXPECT_LT(largest_error(exponential, -745.2, -708), 0.76);
}

TEST(Elementary, Errors_of_expm1_stay_below_0_65_ulp) {
  for (const double range : {1e-300, 1e-17, 1e-9, 1e-3, 0.13, 1.0, 30.0, 708.0}) {
    EXPECT_LT(largest_error(exponential_less_1, -range, range), 0.65) << range;
  }
  EXPECT_LT(largest_error(exponential_less_1, 30, 65), 0.65);
  EXPECT_LT(largest_error_over_exponents(exponential_less_1, -1074, 9), 0.65);
}

TEST(Elementary, Errors_of_log_stay_below_0_76_ulp) {
  EXPECT_LT(largest_error(logarithm, 0, 2), 0.76);
  for (const double range : {1e-12, 1e-9, 1e-6, 1e-5, 1e-3, 0.1}) {
    EXPECT_LT(largest_error(logarithm, 1 - range, 1 + range), 0.76) << range;
  }
  EXPECT_LT(largest_error_over_exponents(logarithm, -1074, 1024), 0.52);
}

TEST(Elementary, Errors_of_log1p_stay_below_0_76_ulp) {
  for (const double range : {1e-300, 1e-17, 1e-12, 1e-9, 1e-6, 1e-5, 1e-3, 0.1, 0.99, 1.0}) {
    EXPECT_LT(largest_error(logarithm_of_1_more, -range, range), 0.76) << range;
  }
  EXPECT_LT(largest_error_over_exponents(logarithm_of_1_more, -1074, 1024), 0.76);
}

/// Every interval of the tables ends halfway between two of these numbers.
TEST(Elementary, Errors_stay_as_small_at_the_boundaries_between_table_entries) {
  for (int halves = -2'001; halves <= 2'001; ++halves) {
    const double edge = halves * std::log(2.0) / 256;
    const double place =
        std::bit_cast<double>(std::bit_cast<std::int64_t>(1.0) + halves * (std::int64_t{1} << 44));
    for (const double nudge : {-3e-16, -1e-16, 0.0, 1e-16, 3e-16}) {
      const double x = edge + edge * nudge;
      EXPECT_LT(error_in_ulp(math::exp(x), std::exp(static_cast<long double>(x))), 0.52) << x;
      EXPECT_LT(error_in_ulp(math::expm1(x), std::expm1(static_cast<long double>(x))), 0.65) << x;
      const double z = place + place * nudge;
      EXPECT_LT(error_in_ulp(math::log(z), std::log(static_cast<long double>(z))), 0.52) << z;
      EXPECT_LT(error_in_ulp(math::log1p(z - 1), std::log1p(static_cast<long double>(z - 1))), 0.76) << z;
    }
  }
}

TEST(Elementary, Errors_of_pow_stay_below_0_53_ulp_and_below_0_76_where_it_is_subnormal) {
  std::mt19937_64 random(1);
  for (const double exponents : {1e-9, 1e-6, 1e-3, 0.1, 1.0, 30.0, 1000.0}) {
    double most = 0;
    double most_subnormal = 0;
    for (int k = 0; k < 200'000; ++k) {
      // x^y over the whole range of doubles, and a little beyond.
      const double x = std::exp2(exponents * (2 * uniform(random) - 1));
      const double y = 1080 * (2 * uniform(random) - 1) / std::max(std::abs(std::log2(x)), 1e-15);
      const long double exact = std::pow(static_cast<long double>(x), static_cast<long double>(y));
      double& of_its_kind = exact < DBL_MIN ? most_subnormal : most;
      const double error = error_in_ulp(math::pow(x, y), exact);
      if (!(error <= of_its_kind)) of_its_kind = error;
    }
    EXPECT_LT(most, 0.53) << exponents;
    EXPECT_LT(most_subnormal, 0.76) << exponents;
  }
  for (const double y : {-3.0, -0.5, -1e-3, 1e-9, 0.1, 1.0 / 3, 0.5, 1.5, 1.9, 7.25}) {
    for (int k = 0; k < 50'000; ++k) {
      const double x = tiny * std::exp2(100 * uniform(random));  // some are subnormal
      const long double exact = std::pow(static_cast<long double>(x), static_cast<long double>(y));
      EXPECT_LT(error_in_ulp(math::pow(x, y), exact), exact < DBL_MIN ? 0.76 : 0.53) << x << " " << y;
    }
  }
}

TEST(Elementary, A_result_that_is_a_double_is_returned_exactly) {
  EXPECT_EQ(math::exp(0), 1);
  EXPECT_EQ(math::log(1), 0);
  EXPECT_FALSE(std::signbit(math::log(1)));
  std::mt19937_64 random(2);
  for (int k = 0; k < 100'000; ++k) {
    const auto x = std::bit_cast<double>(random());
    if (std::isnan(x)) continue;
    EXPECT_EQ(math::pow(x, 0), 1) << x;
    EXPECT_EQ(math::pow(x, 1), x) << x;
    EXPECT_EQ(math::pow(1, x), 1) << x;
  }
  for (int k = -1074; k < 1024; ++k) EXPECT_EQ(math::pow(2, k), std::ldexp(1, k)) << k;
  for (double x = -3'000; x <= 3'000; ++x) {
    EXPECT_EQ(math::pow(x, 2), x * x) << x;
    EXPECT_EQ(math::pow(x, 3), x * x * x) << x;
    EXPECT_EQ(math::pow(x, 4), x * x * x * x) << x;
    EXPECT_EQ(math::pow(x * x, 0.5), std::abs(x)) << x;
  }
}

void expect_same(double ours, double of_the_c_library, double x, double y = 0) {
  if (std::isnan(of_the_c_library)) {
    EXPECT_TRUE(std::isnan(ours)) << x << " " << y << ": " << ours;
  } else {
    EXPECT_EQ(ours, of_the_c_library) << x << " " << y;
    EXPECT_EQ(std::signbit(ours), std::signbit(of_the_c_library)) << x << " " << y;
  }
}

TEST(Elementary, Special_values_equal_those_of_the_C_library) {
  for (const double size : {0.0, tiny, 5e-320, DBL_MIN / 2, 1e-300, 1e-20, 1e200, largest, infinity, nan}) {
    for (const double x : {size, -size}) {
      expect_same(math::exp(x), std::exp(x), x);
      expect_same(math::expm1(x), std::expm1(x), x);
      expect_same(math::log1p(x), x > 1 ? math::log(x) : std::log1p(x), x);
      if (!(x > 0 && x < infinity)) expect_same(math::log(x), std::log(x), x);
    }
  }
  for (const double x : {709.78, 709.79, 710.0, 1024.0, -745.13, -745.14, -746.0, -1e10}) {
    expect_same(math::exp(x), std::exp(x), x);
    expect_same(math::expm1(x), std::expm1(x), x);
  }
  expect_same(math::log1p(-1), -infinity, -1);
  expect_same(math::log1p(-1.5), nan, -1.5);
  const std::vector<double> sizes{
      0, tiny,  5e-320,  1e-300,   0.25, std::nextafter(1, 0), 1, std::nextafter(1, 2), 2,
      3, 1e200, largest, infinity, nan};
  const std::vector<double> powers{0,       tiny,   1e-300, 1e-19,  0.5,    1,       2,        3,  1e5,
                                   100'001, 0x1p52, 0x1p53, 0x1p63, 0x1p64, largest, infinity, nan};
  for (const double size : sizes) {
    for (const double x : {size, -size}) {
      for (const double power : powers) {
        for (const double y : {power, -power}) {
          const double result = std::pow(x, y);
          const bool is_special =
              std::isnan(result) || std::isinf(result) || result == 0 || std::abs(result) == 1;
          if (is_special) {
            expect_same(math::pow(x, y), result, x, y);
          } else {
            EXPECT_LT(std::abs(math::pow(x, y) / result - 1), 3e-16) << x << " " << y;
          }
        }
      }
    }
  }
}

TEST(Elementary, Functions_rise_between_arguments_that_are_a_few_ulp_apart) {
  std::mt19937_64 random(3);
  for (int k = 0; k < 100'000; ++k) {
    const double x = 40 * uniform(random) - 20;
    const double next = x + 4e-16 * std::max(1.0, std::abs(x));
    EXPECT_LE(math::exp(x), math::exp(next)) << x;
    const double z = std::exp2(x);
    EXPECT_LE(math::log(z), math::log(z + 1e-15 * z * std::max(1.0, std::abs(x)))) << z;
    EXPECT_LE(math::pow(z, 0.7), math::pow(z + 1e-15 * z, 0.7)) << z;
    EXPECT_GE(math::pow(z, -0.7), math::pow(z + 1e-15 * z, -0.7)) << z;
  }
}

/// This number stands for a promise: every machine and every compiler computes these bits, and files of users
/// (ledgers that are replayed, models that are resumed) rely on them. The number changes only if the
/// functions change.
TEST(Elementary, Every_machine_computes_the_same_bits) {
  std::mt19937_64 random(4);
  std::uint64_t hash = 0;
  const auto add = [&hash](double value) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15;
  };
  for (int k = 0; k < 200'000; ++k) {
    const double x = 1'500 * uniform(random) - 750;
    const auto any = std::bit_cast<double>(random() >> 1);
    add(math::exp(x));
    add(math::expm1(x / 50));
    add(math::log(any));
    add(math::log1p(any));
    add(math::pow(any, x / 750));
  }
  EXPECT_EQ(hash, 3117961164124483910u);
}

}  // namespace
}  // namespace askfew
