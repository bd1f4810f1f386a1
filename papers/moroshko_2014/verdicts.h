#pragma once

#include "askfew/reports/page.h"

#include "papers/moroshko_2014/measured.h"

namespace askfew::moroshko_2014 {

/// The paper's claims, with the results.
std::vector<Verdict> verdicts_on_gaussian(const Part& part);
std::vector<Verdict> verdicts_on_usps(const Part& part);

}  // namespace askfew::moroshko_2014
