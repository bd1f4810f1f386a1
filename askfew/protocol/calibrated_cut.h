#pragma once

#include <span>

namespace askfew {

struct LabelledMargin {
  double margin;
  bool positive;
};

/// Where to cut margins for a large F. REQUIRES: some margins.
///
///   p(m) = s(a m/q + b)         q the root mean square of the margins; a and b have the largest posterior
///                               probability given the asked labels, with the priors N(3, 1) and N(0, 1)
///   F    = max over j of 2 (p_1 + ... + p_j)/(j + sum of all p), for p in descending order: the best F that
///                               is expected on the margins
///   cut  = half of the margin with p = F/2
///
/// F is largest if everything with p above half of it is called positive. An asked label says what is right
/// at its margin, whatever the rule asks for: the fit needs no weights. Only half of the way is gone, because
/// the rule asks near margin 0, and little is known about margins far from it.
double calibrated_cut(std::span<const LabelledMargin> asked, std::span<const double> margins);

}  // namespace askfew
