#include "askfew/system/instruction_sets.h"

#if HWY_ARCH_X86
#include <immintrin.h>
// The C library's header has functions of type _Bool, which clang does not know in standard C++.
#ifdef __clang__
#define _Bool bool  // NOLINT(bugprone-reserved-identifier)
#endif
#include <sys/platform/x86.h>
#ifdef __clang__
#undef _Bool
#endif
#endif

namespace askfew {
namespace {

#if HWY_ARCH_X86
[[gnu::target("avx")]] void zero_upper_halves() {
  _mm256_zeroupper();
}
#endif

}  // namespace

std::int64_t processor_instruction_sets() {
  std::int64_t sets = HWY_STATIC_TARGET;
#if HWY_ARCH_X86
  // The C library has asked the processor, and knows what the system allows. The instructions are those that
  // Highway compiles each set for.
  const bool has_sse4 = CPU_FEATURE_ACTIVE(SSSE3) && CPU_FEATURE_ACTIVE(SSE4_1) &&
                        CPU_FEATURE_ACTIVE(SSE4_2) && CPU_FEATURE_ACTIVE(PCLMULQDQ) &&
                        CPU_FEATURE_ACTIVE(AES);
  const bool has_avx2 = has_sse4 && CPU_FEATURE_ACTIVE(AVX) && CPU_FEATURE_ACTIVE(AVX2) &&
                        CPU_FEATURE_ACTIVE(BMI1) && CPU_FEATURE_ACTIVE(BMI2) && CPU_FEATURE_ACTIVE(FMA) &&
                        CPU_FEATURE_ACTIVE(F16C) && CPU_FEATURE_ACTIVE(LZCNT);
  const bool has_avx3 = has_avx2 && CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_ACTIVE(AVX512CD) &&
                        CPU_FEATURE_ACTIVE(AVX512DQ) && CPU_FEATURE_ACTIVE(AVX512BW) &&
                        CPU_FEATURE_ACTIVE(AVX512VL);
  const bool has_avx3_dl = has_avx3 && CPU_FEATURE_ACTIVE(AVX512_VNNI) && CPU_FEATURE_ACTIVE(AVX512_VBMI) &&
                           CPU_FEATURE_ACTIVE(AVX512_VBMI2) && CPU_FEATURE_ACTIVE(AVX512_BITALG) &&
                           CPU_FEATURE_ACTIVE(AVX512_VPOPCNTDQ) && CPU_FEATURE_ACTIVE(VAES) &&
                           CPU_FEATURE_ACTIVE(VPCLMULQDQ) && CPU_FEATURE_ACTIVE(GFNI);
  if (has_sse4) sets |= HWY_SSE4;
  if (has_avx2) sets |= HWY_AVX2;
  if (has_avx3) sets |= HWY_AVX3;
  if (has_avx3_dl) sets |= HWY_AVX3_DL;
#endif
  return sets;
}

void use_instruction_sets(std::int64_t sets) {
  internal::chosen_instruction_set.Update(sets);
}

void leave_wide_registers() {
#if HWY_ARCH_X86
  if (CPU_FEATURE_ACTIVE(AVX)) zero_upper_halves();
#endif
}

}  // namespace askfew
