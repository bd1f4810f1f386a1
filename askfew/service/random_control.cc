#include "askfew/service/random_control.h"

#include "askfew/core/errors.h"
#include "askfew/workflows/whatif.h"

namespace askfew {

std::string random_control(const LedgerPlace& ledger) {
  WhatIfOptions options{.ledger = ledger};
  options.sampler.rule = "random:q=0";
  options.sampler.budget = "none";
  const WhatIfResult result = what_if(options);
  if (result.recorded.spending.audit == 0)
    throw ConfigError("the project has no audit: no label was asked at random");
  return json_of(result);
}

}  // namespace askfew
