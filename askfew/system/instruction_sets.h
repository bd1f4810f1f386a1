#pragma once

#include <cstdint>
#include <hwy/targets.h>

// Highway compiles a function once for each instruction set. ASKFEW_EXPORT(f) makes the table of these
// versions, and ASKFEW_DISPATCH(f) is the version for this processor. Highway's own HWY_EXPORT and
// HWY_DYNAMIC_DISPATCH do the same, but need libhwy, which measures a clock for milliseconds when a program
// starts; and they call a function of libhwy before each call.
//
// Include <hwy/highway.h> before the macros are used.

namespace askfew {

/// The instruction sets of this processor, as Highway's bits: HWY_AVX2 and others. The baseline of the
/// compiler is always among them.
[[nodiscard]] std::int64_t processor_instruction_sets();

/// What ASKFEW_DISPATCH chooses from; for tests. REQUIRES: the processor has them.
void use_instruction_sets(std::int64_t sets);

/// Ends the use of wide registers. Call this after code of another library that used AVX and may have left
/// data in the upper halves of the registers: on some processors all code without AVX, which most of this
/// library is, takes several times as long then.
void leave_wide_registers();

namespace internal {

inline constinit hwy::ChosenTarget chosen_instruction_set;

inline const hwy::ChosenTarget& instruction_set() {
  if (!chosen_instruction_set.IsInitialized()) use_instruction_sets(processor_instruction_sets());
  return chosen_instruction_set;
}

}  // namespace internal
}  // namespace askfew

// The first place of a table is that of a choice which was not made yet.
#define ASKFEW_EXPORT(function)                                       \
  static constexpr decltype(&HWY_STATIC_DISPATCH(                     \
      function)) function##_versions[HWY_MAX_DYNAMIC_TARGETS + 2] = { \
      nullptr, HWY_CHOOSE_TARGET_LIST(function), HWY_CHOOSE_FALLBACK(function)}

#define ASKFEW_DISPATCH(function) (*function##_versions[::askfew::internal::instruction_set().GetIndex()])
