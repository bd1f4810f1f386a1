#pragma once

// The papers' mistake bounds as functions. THROWS: ConfigError for a negative norm, loss or length, a margin
// that is not above 0, and a parameter that its theorem does not allow.

#include <cstddef>

// Threads: many threads may call these functions at the same time.

namespace askfew {

/// The facts about a stream and a comparator u that a mistake bound needs.
struct Comparator {
  double norm = 0;     ///< |u|
  double gamma = 1;    ///< the margin at which u's hinge loss (gamma - y u.x)+ is measured
  double loss = 0;     ///< u's cumulative hinge loss, an upper bound of the papers' expectation over update
                       ///< rounds
  double longest = 0;  ///< X, the largest |x| of the stream
};

/// Cesa-Bianchi, Gentile, Zaniboni 2006, Theorem 1: expected mistakes of the Perceptron with rule margin(b).
double selective_perceptron_bound(const Comparator& u, double b);

/// 2006, Theorem 2: expected mistakes of the Perceptron with rule adaptive(beta).
double adaptive_perceptron_bound(const Comparator& u, double beta);

/// 2006, Theorem 4: expected mistakes of Winnow in d dimensions with eta = 2 (1-alpha) gamma / X^2 and rule
/// margin(alpha gamma), for u in the simplex; here `longest` is X, the largest |x_i|.
double selective_winnow_bound(const Comparator& u, double alpha, std::size_t dimension);

/// Cesa-Bianchi's slides, part 2: mistakes of the Perceptron, |x| = 1, gamma = 1.
double perceptron_bound(const Comparator& u);

/// Slides, part 3: mistakes of Hildreth's algorithm on a stream that u separates with margin 1.
double hildreth_bound(const Comparator& u);

/// Slides, part 4: mistakes of PA-I, |x| = 1, gamma = 1.
double pa_one_bound(const Comparator& u, double c);

// Slides, part 3: mistakes of the cutting-plane learners on a stream that u separates with margin gamma, in d
// dimensions. The slides give the orders; docs/algorithms/cutting-planes.md derives the constants.

/// O(d^2 ln U).
double ellipsoid_bound(const Comparator& u, std::size_t dimension);

/// O(d ln dU).
double volumetric_center_bound(const Comparator& u, std::size_t dimension);

/// O(d ln U), with a computed centre of gravity whose error is `error` < 1/e standard deviations of the body.
double gravity_center_bound(const Comparator& u, std::size_t dimension, double error);

/// The facts about a run and a comparator that the mistake bounds of the second-order learners need: one u,
/// or a sequence u_1, u_2, ... with a vector for every update k of the run, on (x_k, y_k).
struct SecondOrderComparator {
  double gamma = 1;  ///< the margin at which the hinge loss is measured
  double loss = 0;   ///< sum of (gamma - y_k u_k.x_k)+
  /// u'Au with A = I + sum of x_k x_k'; for a sequence and lasec(b, c), whose D_k is the D after update k,
  /// b |u_1|^2 + c V + sum of (u_k.x_k)^2 with the drift V = sum of |u_k - u_(k-1)|^2.
  double size = 0;
  double information = 0;  ///< ln |A|; for lasec the sum of x_k'D_k^-1 x_k
};

/// Mistakes of second-order with every label (2006, (13), on one run), of lasec with every label (Moroshko,
/// Crammer 2014, Theorem 2). The members of `u` come from the run.
double second_order_bound(const SecondOrderComparator& u);

/// Expected mistakes of second-order with rule margin(b) (2006, Theorem 3), of lasec with rule margin(b)
/// (2014, Theorem 4, where this b is called a). The members of `u` are expectations over the runs.
double selective_second_order_bound(const SecondOrderComparator& u, double b);

/// Cavallanti, Cesa-Bianchi, Gentile 2008, Theorem 1: expected regret of rls with every label against the
/// Bayes classifier sgn(u.x), after n rounds with P(y = 1 | x) = (1 + u.x)/2, |u| = |x| = 1. The instances
/// have low noise: P(u.x f(x) < 0) <= c R(f)^(alpha/(1+alpha)) for every f, R(f) its regret; alpha may be
/// infinite. The log-determinant is that of I + sum of x x', or the sum of ln(1 + n eigenvalue of E[xx']).
double rls_regret_bound(double c, double alpha, double log_determinant, double n);

/// 2014, (10): the information of a run of lasec is at most `fixed` + `per_update` * updates.
struct LasecInformation {
  double fixed = 0;
  double per_update = 0;
};

/// The same for lasec(b, c) on |x| <= longest in d dimensions; the log-determinant is ln |D/b| after the run.
LasecInformation lasec_information(double b, double c, double longest, double d, double log_determinant);

/// 2014, (11): mistakes of lasec with every label, by Theorem 2, (10) and Lemma 7; u.information is not used.
double lasec_bound(const SecondOrderComparator& u, const LasecInformation& most);

/// 2014, Corollaries 8 and 9: lasec tuned to T rounds and a drift over its updates of at most V. (11) is then
/// Corollary 8, and selective_second_order_bound with the information of T updates Corollary 9.
struct TunedLasec {
  double rounds = 0;     ///< T
  double drift = 0;      ///< V
  double longest = 1;    ///< X
  double dimension = 0;  ///< d
  double epsilon = 0;    ///< b/c

  [[nodiscard]] double c() const;
  [[nodiscard]] double b() const { return epsilon * c(); }
  /// Is the drift small enough for the corollaries?
  [[nodiscard]] bool applies() const;
  /// (10) as the corollaries simplify it.
  [[nodiscard]] LasecInformation information(double log_determinant) const;
};

}  // namespace askfew
