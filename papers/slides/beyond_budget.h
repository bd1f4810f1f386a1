#pragma once

#include "askfew/reports/page.h"

namespace askfew::slides {

/// Runs the stream on which B supports are not enough.
Verdict verdict_beyond_budget();

}  // namespace askfew::slides
