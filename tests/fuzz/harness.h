#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

/// Checks what must hold for every input. Checked in every build, because a fuzz test without checks finds
/// little.
#define FUZZ_CHECK(condition)                                                                              \
  ((condition) ? static_cast<void>(0)                                                                      \
               : (static_cast<void>(                                                                       \
                      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition)), \
                  std::abort()))

/// Runs one input through the code that the file is named after. An escaping exception is a finding, as a
/// crash is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace askfew::fuzz {

/// Inputs that are valid, or nearly valid: mutation starts from them. Every harness defines its own.
std::vector<std::string> seeds();

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace askfew::fuzz
