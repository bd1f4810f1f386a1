#pragma once

#include <cstddef>

namespace askfew {

/// What a mistake bound knows of a stream and a comparator u.
struct Comparator {
  double norm = 0;   ///< |u|
  double gamma = 1;  ///< the margin at which u's hinge loss (gamma - y u.x)+ is measured
  double loss = 0;  ///< u's cumulative hinge loss; the papers' expectation over update rounds is at most that
  double longest = 0;  ///< X, the largest |x| of the stream
};

/// Cesa-Bianchi, Gentile, Zaniboni 2006, Theorem 1: expected mistakes of the Perceptron with rule margin(b).
double selective_perceptron_bound(const Comparator& u, double b);

/// 2006, Theorem 2: of the Perceptron with rule adaptive(beta).
double adaptive_perceptron_bound(const Comparator& u, double beta);

/// 2006, Theorem 4: of Winnow in d dimensions with eta = 2 (1-alpha) gamma / X^2 and rule margin(alpha
/// gamma), for u in the simplex; here `longest` is X, the largest |x_i|.
double selective_winnow_bound(const Comparator& u, double alpha, std::size_t dimension);

/// Cesa-Bianchi's slides, part 2: mistakes of the Perceptron, |x| = 1, gamma = 1.
double perceptron_bound(const Comparator& u);

/// Slides, part 3: mistakes of Hildreth's algorithm on a stream that u separates with margin 1.
double hildreth_bound(const Comparator& u);

/// Slides, part 4: mistakes of PA-I, |x| = 1, gamma = 1.
double pa_one_bound(const Comparator& u, double c);

// Slides, part 3: mistakes of the cutting planes on a stream that u separates with margin gamma, in d
// dimensions. The slides give the orders; the constants are derived in docs/algorithms/cutting-planes.md.

/// O(d^2 ln U).
double ellipsoid_bound(const Comparator& u, std::size_t dimension);

/// O(d ln dU).
double volumetric_center_bound(const Comparator& u, std::size_t dimension);

/// O(d ln U), with a centre of gravity that is off by `error` < 1/e standard deviations of the body.
double gravity_center_bound(const Comparator& u, std::size_t dimension, double error);

}  // namespace askfew
