#pragma once

#include <span>

#include "askfew/protocol/aim.h"

namespace askfew {

struct LabelledMargin {
  double margin;
  bool positive;
};

/// Where to cut margins for an aim that is not accuracy. REQUIRES: some margins.
///
///   p(m) = s(a m/q + b)         q the root mean square of the margins; a and b have the largest posterior
///                               probability given the asked labels, with the priors N(3, 1) and N(0, 1)
///   f1         half of the margin with p = F/2, where F = max over j of 2 (p_1 + ... + p_j)/(j + sum of all
///              p), for p in descending order: the best F that is expected on the margins. F is largest if
///              everything with p above half of it is called positive
///   recall     the largest cut, at most 0, where the margins above it have this share of the sum of all p
///   precision  half of the smallest cut, at least 0, where the mean p of the margins above it is this share
///
/// An asked label says what is right at its margin, whatever the rule asks for: the fit needs no weights. For
/// F and precision only half of the way is gone, because the rule asks near margin 0, and little is known
/// about margins far from it.
double calibrated_cut(const Aim& aim, std::span<const LabelledMargin> asked, std::span<const double> margins);

}  // namespace askfew
