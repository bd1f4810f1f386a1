#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

/// What must hold for every input whatever. Checked in every build, because a fuzz test is nothing without
/// it.
#define FUZZ_CHECK(condition)                                                                              \
  ((condition) ? static_cast<void>(0)                                                                      \
               : (static_cast<void>(                                                                       \
                      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition)), \
                  std::abort()))

/// One input through the surface that the file is named after. An escaping exception is a finding like any
/// crash.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace askfew::fuzz {

/// Inputs that the surface accepts, or nearly: where mutation begins. Every harness has its own.
std::vector<std::string> seeds();

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace askfew::fuzz
