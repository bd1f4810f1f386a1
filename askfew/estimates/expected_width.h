#pragma once

#include <cstdint>

namespace askfew {

/// About how wide the interval of the error will be after so many rounds, if a tenth of the predictions are
/// wrong and only the audit asks. The interval of V = 0.1 rounds (1 - audit)/audit is 2 sqrt(2 ln(2/alpha) V)
/// wide with the best h; the mixture over h makes it about an eighth wider. At most 1. REQUIRES: 0 < audit.
double expected_width(double audit, std::uint64_t rounds);

}  // namespace askfew
