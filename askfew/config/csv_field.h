#pragma once

#include <string>
#include <string_view>

namespace askfew {

/// A text as a field of CSV: in quotes, with its quotes doubled, if necessary.
inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace askfew
