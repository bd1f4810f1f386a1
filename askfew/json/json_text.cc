#include "askfew/json/json_text.h"

#include <istream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace askfew {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

// A parser of streams would be another template to compile.
std::string all_of(std::istream& text) {
  return {std::istreambuf_iterator<char>(text), {}};
}

}  // namespace

json parse_json(std::string_view text) {
  return json::parse(text);
}

json parse_json(std::istream& text) {
  return parse_json(all_of(text));
}

json try_parse_json(std::string_view text) {
  return json::parse(text, nullptr, false);
}

json try_parse_json(std::istream& text) {
  return try_parse_json(all_of(text));
}

ordered_json try_parse_ordered_json(std::string_view text) {
  return ordered_json::parse(text, nullptr, false);
}

bool is_json(std::string_view text) {
  return !try_parse_json(text).is_discarded();
}

std::string json_text(const json& value, int indent) {
  return value.dump(indent);
}

std::string json_text(const ordered_json& value) {
  return value.dump();
}

std::string utf8_json_text(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string utf8_json_text(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace askfew
