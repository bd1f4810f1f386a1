#pragma once

#include <string>
#include <string_view>

namespace askfew {

/// A text without anything that a terminal would obey: control characters, marks that change the direction of
/// writing, and bytes that are no UTF-8 are written as \x1b or \u202e.
std::string without_controls(std::string_view text);

/// Somebody's name for something (a label, say) as it may stand in a line of output: as it is, or, where that
/// would be empty, torn apart at one of the separators, or obeyed by a terminal, as a JSON string in double
/// quotes. What begins with a double quote is always such a string.
std::string printable(std::string_view name, std::string_view separators = "");

}  // namespace askfew
