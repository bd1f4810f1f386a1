#include "askfew/math/elementary.h"

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>

#include "askfew/math/tables.h"

// Table-driven, after P. T. P. Tang (ACM TOMS 1989, 1990): the table reduces the argument so far that a few
// terms of the Taylor series are enough. Products that must be exact have factors with few bits.

namespace askfew::math {
namespace {

static_assert(std::numeric_limits<double>::is_iec559 && FLT_EVAL_METHOD == 0, "the bits depend on it");

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

constexpr auto roots_of_two = make_roots_of_two();
constexpr auto log_centers = make_centers();

constexpr std::uint64_t bits_of(double x) {
  return std::bit_cast<std::uint64_t>(x);
}
constexpr double from_bits(std::uint64_t bits) {
  return std::bit_cast<double>(bits);
}

/// e^x = 2^(n/128) e^r with a whole number n and |r| < 0.0028.
struct ReducedExponent {
  std::uint64_t n;  ///< modulo 2^45
  double r;
};

ReducedExponent reduce(double x) {
  constexpr double ln_2_hi = 0x1.62e42fefap-8;  // ln 2/128 in two parts; n times the first part is exact
  constexpr double ln_2_lo = 0x1.cf79abc9e3b39p-47;
  const double shifted = x * (roots / ln_2.hi) + shifter(1);  // n is in the lowest bits
  const double n = shifted - shifter(1);
  return {bits_of(shifted), (x - n * ln_2_hi) - n * ln_2_lo};
}

/// 2^(n/128 + more), without the rest of the root.
double scaled(std::uint64_t n, std::int64_t more = 0) {
  return from_bits(roots_of_two[n % roots].bits + (n << 45) + (static_cast<std::uint64_t>(more) << 52));
}

/// e^r 2^(n/128)/scaled(n) - 1.
double growth(ReducedExponent e) {
  const double r = e.r;
  const double rr = r * r;
  return (roots_of_two[e.n % roots].rest + r) + rr * (1.0 / 2 + r * (1.0 / 6)) +
         (rr * rr) * (1.0 / 24 + r * (1.0 / 120));
}

/// e^x where 2^(n/128) or the result may not be normal.
double far_exp(double x, ReducedExponent e) {
  if (std::isnan(x)) return nan;
  if (x > 710) return infinity;
  if (x < -746) return 0;
  const double scale = scaled(e.n, x > 0 ? -1000 : 1000);
  return (scale + scale * growth(e)) * (x > 0 ? 0x1p1000 : 0x1p-1000);
}

/// e^r 2^(n/128); x shows the size of the result.
double exp_of(double x, ReducedExponent e) {
  const bool is_far = !(std::abs(x) < 700);
  if (is_far) [[unlikely]] {
    return far_exp(x, e);
  }
  const double scale = scaled(e.n);
  return scale + scale * growth(e);
}

/// ln x = k ln 2 + (log_hi + log_lo of the center) + ln(1 + r), r = r_hi + r_lo exactly.
struct ReducedLog {
  double k;
  const Center& center;
  double r_hi;  ///< a multiple of 2^-33 of at most 26 bits
  double r_lo;  ///< < 2^-20
};

// ln 2 in two parts. The first is a multiple of 2^-42, so that k times it, log_hi and r_hi add up exactly.
constexpr double ln_2_hi = 0x1.62e42fefa38p-1;
constexpr double ln_2_lo = 0x1.ef35793c7673p-45;

/// REQUIRES: the bits of a positive number; the exponent may be below that of normal numbers.
ReducedLog reduce_log(std::uint64_t bits) {
  const std::uint64_t place = bits - first_center_begin;
  const std::int64_t k = static_cast<std::int64_t>(place) >> 52;
  const Center& center = log_centers[(place >> 45) % centers];
  const std::uint64_t z_bits = bits - (static_cast<std::uint64_t>(k) << 52);
  const double z_hi = from_bits((z_bits + 0x8000'0000) & ~std::uint64_t{0xffff'ffff});
  const double z_lo = from_bits(z_bits) - z_hi;
  return {static_cast<double>(k), center, z_hi * center.inverse - 1, z_lo * center.inverse};
}

/// A subnormal x in the form for reduce_log: with its true exponent.
std::uint64_t subnormal_bits(double x) {
  return bits_of(x * 0x1p52) - (std::uint64_t{52} << 52);
}

bool is_normal_and_positive(double x) {
  return bits_of(x) - bits_of(DBL_MIN) < bits_of(infinity) - bits_of(DBL_MIN);
}

/// ln(1 + r) - r + r^2/2.
double cubic_rest(double r, double rr) {
  return (r * rr) *
         ((1.0 / 3 - r * (1.0 / 4)) + rr * ((1.0 / 5 - r * (1.0 / 6)) + rr * (1.0 / 7 - r * (1.0 / 8))));
}

}  // namespace

double exp(double x) {
  return exp_of(x, reduce(x));
}

double expm1(double x) {
  if (std::abs(x) < 0.125) {
    double sum = 1.0 / 479001600;
    for (const double c : {1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
                           1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2}) {
      sum = sum * x + c;
    }
    return x == 0 ? x : x + (x * x) * sum;  // keeps the sign of 0
  }
  if (!(x < 60)) return exp(x);
  if (x < -40) return -1;
  const ReducedExponent e = reduce(x);
  const double scale = scaled(e.n);
  const double less_one = scale - 1;
  const double rest =
      x < 0 ? scale - (less_one + 1) : (scale - less_one) - 1;  // the rounding error of less_one
  return less_one + (rest + scale * growth(e));
}

double log(double x) {
  std::uint64_t bits = bits_of(x);
  if (!is_normal_and_positive(x)) [[unlikely]] {
    if (x == 0) return -infinity;
    if (x == infinity) return x;
    if (!(x > 0)) return nan;
    bits = subnormal_bits(x);
  }
  const ReducedLog e = reduce_log(bits);
  const double r = e.r_hi + e.r_lo;
  const double rr = r * r;
  const double hi = e.k * ln_2_hi + e.center.log_hi + e.r_hi;
  const double lo = e.k * ln_2_lo + e.center.log_lo + (cubic_rest(r, rr) - rr * 0.5);
  return hi + (lo + e.r_lo);
}

double log1p(double x) {
  if (std::abs(x) < 0x1p-54) return x;
  if (!(x > -1 && x < 0x1p60)) return x == -1 ? -infinity : log(x);
  const double u = 1 + x;
  const double rounded_off = x < 1 ? x - (u - 1) : 1 - (u - x);  // 1 + x - u
  const ReducedLog e = reduce_log(bits_of(u));
  const double power = from_bits(static_cast<std::uint64_t>(1023 - static_cast<std::int64_t>(e.k)) << 52);
  const double more = rounded_off * power * e.center.inverse;
  const double r = e.r_hi + (e.r_lo + more);
  const double rr = r * r;
  const double hi = e.k * ln_2_hi + e.center.log_hi + e.r_hi;
  const double lo = e.k * ln_2_lo + e.center.log_lo + (cubic_rest(r, rr) - rr * 0.5);
  return hi + ((lo + more) + e.r_lo);
}

namespace {

/// x^y for finite x > 0 and 2^-65 < |y| < 2^65. The bits of x are in the form for reduce_log.
double positive_pow(std::uint64_t x_bits, double y) {
  // ln x = hi + lo to about 68 bits.
  const ReducedLog e = reduce_log(x_bits);
  const double r = e.r_hi + e.r_lo;
  const double exact = e.k * ln_2_hi + e.center.log_hi + e.r_hi;
  const double linear = exact + e.r_lo;
  const double linear_rest = (exact - linear) + e.r_lo;
  const double half_square = e.r_hi * e.r_hi * 0.5;  // exact
  const double square_rest = e.r_lo * (e.r_hi + r) * 0.5;
  const double hi = linear - half_square;
  const double hi_rest = (linear - hi) - half_square;
  const double lo =
      (e.k * ln_2_lo + e.center.log_lo) + linear_rest + hi_rest + (cubic_rest(r, r * r) - square_rest);
  // y ln x = (y_hi + y_lo) (l_hi + l_lo) with an exact y_hi l_hi.
  constexpr std::uint64_t upper = ~std::uint64_t{0} << 27;
  const double y_hi = from_bits(bits_of(y) & upper);
  const double y_lo = y - y_hi;
  const double l_hi = from_bits(bits_of(hi + lo) & upper);
  const double l_lo = (hi - l_hi) + lo;
  const double product = y_hi * l_hi;
  ReducedExponent power = reduce(product);
  power.r += y_lo * l_hi + y * l_lo;  // below 2^-14 where the result is neither 0 nor infinite
  return exp_of(product, power);
}

bool is_whole(double y) {
  return std::trunc(y) == y;
}
bool is_odd(double y) {
  return is_whole(y) && std::abs(y) < 0x1p53 && !is_whole(y / 2);
}

/// Where x is not a positive normal number or |y| is very large or small.
double unusual_pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return nan;
  const bool is_negative = std::signbit(x) && is_odd(y);
  const double size = std::abs(x);
  if (size == 0 || size == infinity) {
    const double result = (size == 0) == (y < 0) ? infinity : 0.0;
    return is_negative ? -result : result;
  }
  if (x < 0 && !is_whole(y)) return nan;
  if (std::abs(y) >= 0x1p64) return size == 1 ? 1 : (size > 1) == (y > 0) ? infinity : 0;
  if (std::abs(y) < 0x1p-64) return 1;
  const double result = positive_pow(size < DBL_MIN ? subnormal_bits(size) : bits_of(size), y);
  return is_negative ? -result : result;
}

}  // namespace

double pow(double x, double y) {
  if (y == 1) return x;  // the p-norm asks this for every feature while p = 2, its default
  const bool is_usual = bits_of(std::abs(y)) - bits_of(0x1p-64) < bits_of(0x1p64) - bits_of(0x1p-64);
  if (!(is_usual && is_normal_and_positive(x))) [[unlikely]]
    return unusual_pow(x, y);
  return positive_pow(bits_of(x), y);
}

}  // namespace askfew::math
