#pragma once

#include <string>
#include <vector>

#include "askfew/ledger/ledger_place.h"
#include "askfew/sessions/whatif.h"
#include "askfew/system/usual_memory.h"
#include "askfew/workflows/hooks.h"
#include "askfew/workflows/options.h"

// Threads: many threads may call these functions at the same time, each with options and hooks of its own.

namespace askfew {

/// Another sampler on the stream of a ledger.
struct WhatIfOptions {
  LedgerPlace ledger{};
  /// Options that are not given are those of the ledger; the budget "none" removes the ledger's budget.
  SamplerOptions sampler{};
  std::uint64_t max_memory = usual_memory();  ///< see SessionOptions
};

struct WhatIfResult {
  SamplerConfig recorded;  ///< the ledger's sampler
  SamplerConfig other;
  std::vector<WhatIf> tasks;        ///< one per topic, else one
  std::vector<std::string> topics;  ///< their names; empty if there is one task
};

/// THROWS: ConfigError, FileError, DataError, ModelError, MemoryError.
WhatIfResult what_if(const WhatIfOptions& options, const Hooks& hooks = {});

/// A sampler with its spending, for people: "pa:C=1 + margin:b=1, update on asked, budget 5%".
std::string name_of(const SamplerConfig& config);

std::string json_of(const WhatIfResult& result);

}  // namespace askfew
