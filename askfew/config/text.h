#pragma once

#include <string>
#include <string_view>

namespace askfew {

/// How many of the bytes that the text begins with are UTF-8.
std::size_t utf8_prefix(std::string_view text);
bool is_utf8(std::string_view text);

/// A piece of somebody's data as it may stand in a message: in quotes, cut after 40 bytes, with everything
/// escaped that a terminal would obey.
std::string in_quotes(std::string_view text);

/// Appends a string as JSON writes it, in double quotes. REQUIRES: it is UTF-8.
void append_json_string(std::string_view text, std::string& out);

/// Appends a number with 17 significant digits, enough for every bit, as %.17g writes it in C.
void append_exact(double value, std::string& out);

}  // namespace askfew
