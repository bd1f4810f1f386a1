// A preloaded library that makes Highway choose the code for a processor without AVX and fused multiply-adds.
// The library is not linked with Highway: it calls the Highway of the program. A program without Highway does
// not start with it.

#include <cstdlib>
#include <hwy/targets.h>

namespace {

[[gnu::constructor]] void take_instructions_away() {
  const std::int64_t plainest = HWY_STATIC_TARGET;  // this file is compiled for the baseline machine
  hwy::DisableTargets(~plainest);
  if (hwy::SupportedTargets() != plainest) std::abort();
}

}  // namespace
