#pragma once

#include <gtest/gtest.h>

#define HWY_WANT_AVX3_DL  // some sources are compiled for this set, too
#include "askfew/system/instruction_sets.h"

namespace askfew {

/// Calls f for each instruction set of this processor that the library is compiled for, as on a machine that
/// has no better one.
template <class F>
void with_every_instruction_set(F&& f) {
  const std::int64_t all = processor_instruction_sets();
  for (std::int64_t left = all & HWY_TARGETS; left != 0; left &= left - 1) {
    const std::int64_t set = left & -left;
    use_instruction_sets(set);
    SCOPED_TRACE(hwy::TargetName(set));
    f(set);
  }
  use_instruction_sets(all);
}

}  // namespace askfew
