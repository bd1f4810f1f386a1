#pragma once

#include "papers/cbgz_2006/measure.h"

namespace askfew::cbgz_2006 {

/// Compares the run with the paper's claims. A claim holds if it holds on every set of stories.
std::vector<Verdict> verdicts_of(const std::vector<Measured>& all);
/// Does SEL-2ND keep 95% of its F with a tenth of the labels? Measured on the first set of stories.
Verdict tenth_of(const Measured& reuters);

}  // namespace askfew::cbgz_2006
