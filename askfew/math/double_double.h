#pragma once

#include <bit>
#include <cstdint>

namespace askfew::math {

/// hi + lo with |lo| <= ulp(hi)/2: about 106 bits. Used for tables that the compiler computes.
struct DoubleDouble {
  double hi = 0;
  double lo = 0;
};

constexpr DoubleDouble exact_sum_of(double a, double b) {
  const double sum = a + b;
  const double from_b = sum - a;
  return {sum, (a - (sum - from_b)) + (b - from_b)};
}

/// Dekker's product: both factors are split into halves of 26 bits, whose products are exact.
constexpr DoubleDouble exact_product_of(double a, double b) {
  constexpr double cut = 0x1p27 + 1;
  const double a_hi = cut * a - (cut * a - a);
  const double b_hi = cut * b - (cut * b - b);
  const double a_lo = a - a_hi;
  const double b_lo = b - b_hi;
  const double product = a * b;
  return {product, ((a_hi * b_hi - product) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}

constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble sum = exact_sum_of(a.hi, b.hi);
  const DoubleDouble rest = exact_sum_of(a.lo, b.lo);
  const DoubleDouble carried = exact_sum_of(sum.hi, sum.lo + rest.hi);
  return exact_sum_of(carried.hi, carried.lo + rest.lo);
}

constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = exact_product_of(a.hi, b.hi);
  return exact_sum_of(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

constexpr DoubleDouble operator/(DoubleDouble a, double b) {
  const double quotient = a.hi / b;
  const DoubleDouble product = exact_product_of(quotient, b);
  return exact_sum_of(quotient, ((a.hi - product.hi) - product.lo + a.lo) / b);
}

}  // namespace askfew::math
