#pragma once

namespace askfew::math {

/// The elementary functions of this library. The functions of the C library differ in the last bit from one
/// processor to another: where the machine has fused multiply-adds, the C library uses them. The functions
/// here consist of IEEE additions, multiplications and comparisons of doubles in a fixed order, so that every
/// machine computes the same bits. tests/unit/layers.py forbids the C library's functions elsewhere.
///
/// The result is within 1 ulp of the exact value, mostly within 0.52; an exact value that is a double is
/// returned exactly: exp(0) = 1, log(1) = 0, pow(x, 0) = 1, pow(x, 1) = x. Zeros, infinities, NaN, subnormals
/// and arguments outside the domain give what the C standard says (annex F), except that errno and the
/// floating-point flags say nothing. REQUIRES: rounding to nearest. Safe from many threads.
[[nodiscard]] double exp(double x);
[[nodiscard]] double expm1(double x);
[[nodiscard]] double log(double x);
[[nodiscard]] double log1p(double x);
[[nodiscard]] double pow(double x, double y);

}  // namespace askfew::math
