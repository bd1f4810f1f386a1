#pragma once

#include <cstdint>
#include <fast_float/fast_float.h>
#include <string_view>

namespace askfew {

/// Reads the decimal number that begins at `at`, correctly rounded, and returns its end; null if there is no
/// number. A plus sign, `inf` and `nan` are accepted.
inline const char* read_number(const char* at, const char* end, double& value) {
  const bool plus = end - at >= 2 && *at == '+' && at[1] != '-' && at[1] != '+';
  const char* const begin = plus ? at + 1 : at;
  const auto [past, error] = fast_float::from_chars(begin, end, value);
  return error == std::errc{} ? past : nullptr;
}

/// Is the whole text a number?
inline bool read_number(std::string_view text, double& value) {
  const char* const end = text.data() + text.size();
  return !text.empty() && read_number(text.data(), end, value) == end;
}

}  // namespace askfew
