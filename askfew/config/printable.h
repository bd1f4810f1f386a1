#pragma once

#include <string>
#include <string_view>

namespace askfew {

/// The text with everything escaped that a terminal would interpret: control characters, marks that change
/// the writing direction, and bytes that are not UTF-8 are written as \x1b or \u202e.
std::string without_controls(std::string_view text);

/// A user's name (a label, for example) for a line of output. The name stays as it is, unless it is empty,
/// contains a separator, begins with a double quote, or contains something that a terminal would interpret;
/// then it becomes a JSON string in double quotes.
std::string printable(std::string_view name, std::string_view separators = "");

}  // namespace askfew
