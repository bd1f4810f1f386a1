#pragma once

#include <string>

#include "askfew/ledger/ledger_place.h"

// Threads: many threads may call this function at the same time, also while the ledger is written.

namespace askfew {

/// What random asking would have given: the learner of a ledger, taught only by the labels that its audit
/// asked at random. The audit's coins do not depend on the rule, so all these labels are known once people
/// have answered, and the error of both is estimated from the same labels. As JSON, see
/// json_of(WhatIfResult). THROWS: ConfigError without an audit; FileError, DataError, ModelError,
/// MemoryError.
std::string random_control(const LedgerPlace& ledger);

}  // namespace askfew
