#define HWY_WANT_AVX3_DL  // some sources are compiled for this set, too
#include "askfew/system/instruction_sets.h"

#include <gtest/gtest.h>

namespace askfew {
namespace {

TEST(InstructionSets, are_those_that_libhwy_detects) {
  EXPECT_EQ(processor_instruction_sets() & HWY_TARGETS, hwy::SupportedTargets() & HWY_TARGETS);
}

}  // namespace
}  // namespace askfew
