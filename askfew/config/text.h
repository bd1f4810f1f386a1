#pragma once

// Small functions for texts: UTF-8, quotes for messages, JSON strings, numbers with all digits.

#include <span>
#include <string>
#include <string_view>

namespace askfew {

/// The number of bytes at the beginning of the text that are valid UTF-8.
std::size_t utf8_prefix(std::string_view text);
bool is_utf8(std::string_view text);

/// User data for use in a message: in quotes, cut after 40 bytes, with all control characters of a terminal
/// escaped.
std::string in_quotes(std::string_view text);

/// Names in quotes, for use in a message: the first eight, and how many more there are. "none" if there are
/// none.
std::string list_in_quotes(std::span<const std::string> names);

/// Appends a JSON string in double quotes. REQUIRES: the text is UTF-8.
void append_json_string(std::string_view text, std::string& out);

/// Appends a number with 17 significant digits, enough for every bit, as %.17g writes it in C.
void append_exact(double value, std::string& out);

}  // namespace askfew
