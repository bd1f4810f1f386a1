#pragma once

#include "papers/cbgz_2006/measure.h"

namespace askfew::cbgz_2006 {

/// What the run says of the paper's claims. A claim holds where it does on every set of stories.
std::vector<Verdict> verdicts_of(const std::vector<Measured>& all);
/// Of the first set: does SEL-2ND keep 95% of its F at a tenth of the labels?
Verdict tenth_of(const Measured& reuters);

}  // namespace askfew::cbgz_2006
