#pragma once

#include "papers/cbgz_2006/measure.h"

namespace askfew::cbgz_2006 {

/// Compares the run with the paper's claims, for each set of stories by itself.
std::vector<Verdict> verdicts_of(const std::vector<Measured>& all);
/// The F of SEL-2ND with a tenth of the labels, beside its F with all labels: the paper claims nothing about
/// it.
std::string about_a_tenth(const Measured& reuters);

}  // namespace askfew::cbgz_2006
