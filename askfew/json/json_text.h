#pragma once

// JSON texts to values and back.

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace askfew {

// JSON texts to values and back. The parser and the writer of nlohmann::json are templates that take two
// seconds to compile in each source that calls them; here they are compiled once.

/// THROWS: nlohmann::json::parse_error.
nlohmann::json parse_json(std::string_view text);
nlohmann::json parse_json(std::istream& text);
/// The value `is_discarded()` if the text is not JSON.
nlohmann::json try_parse_json(std::string_view text);
nlohmann::json try_parse_json(std::istream& text);
/// The same; objects keep the order of their keys.
nlohmann::ordered_json try_parse_ordered_json(std::string_view text);
bool is_json(std::string_view text);

/// The text of a value: one line, or lines that are indented by `indent` spaces per level. THROWS:
/// nlohmann::json::type_error if a text in the value is not UTF-8.
std::string json_text(const nlohmann::json& value, int indent = -1);
std::string json_text(const nlohmann::ordered_json& value);
/// One line. Bytes that are not UTF-8 are replaced by U+FFFD.
std::string utf8_json_text(const nlohmann::json& value);
std::string utf8_json_text(const nlohmann::ordered_json& value);

}  // namespace askfew
