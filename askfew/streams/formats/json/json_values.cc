#include "askfew/streams/formats/json/json_values.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <utility>

#include "askfew/config/text.h"

namespace askfew::json {
namespace {

constexpr unsigned deepest = 200;  // every level takes some stack memory

/// The first control character inside a string, else the quote of a string that does not end.
std::size_t place_of_bad_string(std::string_view line) {
  bool inside = false;
  std::size_t quote = 0;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line[k] == '"') {
      inside = !inside;
      quote = k;
    } else if (inside && line[k] == '\\') {
      ++k;
    } else if (inside && static_cast<unsigned char>(line[k]) < 0x20) {
      return k;
    }
  }
  return quote;
}

std::size_t place_of(simdjson::error_code error, std::string_view line,
                     simdjson::ondemand::document* document) {
  if (error == simdjson::UTF8_ERROR) return utf8_prefix(line);
  if (error == simdjson::UNCLOSED_STRING || error == simdjson::UNESCAPED_CHARS)
    return place_of_bad_string(line);
  const char* place = nullptr;
  if (document == nullptr || error == simdjson::INCOMPLETE_ARRAY_OR_OBJECT ||
      document->current_location().get(place) != simdjson::SUCCESS)
    return line.size();
  return std::min(static_cast<std::size_t>(place - line.data()), line.size());
}

}  // namespace

void fail(Value& value, std::string why) {
  throw Malformed{value.raw_json_token().data(), std::move(why)};
}

std::string_view token(Value& value) {
  const std::string_view raw = value.raw_json_token();
  return raw.substr(0, raw.find_last_not_of(" \t\r\n") + 1);
}

double number(Value value, std::string_view what) {
  double number = 0;
  if (value.get_double().get(number) == simdjson::SUCCESS) return number;
  fail(value, fmt::format("{} {} is not a number, or too large for one", what, in_quotes(token(value))));
}

std::string_view string(Value value, std::string_view what) {
  const std::string_view raw = token(value);
  if (!raw.starts_with('"')) fail(value, fmt::format("{} {} is not a string", what, in_quotes(raw)));
  std::string_view text;
  if (value.get_string().get(text) == simdjson::SUCCESS) return text;
  throw Malformed{raw.data(), fmt::format("{} {} has an invalid escape or half of a surrogate pair", what,
                                          in_quotes(raw))};
}

bool boolean(Value value, std::string_view what) {
  bool truth = false;
  if (value.get_bool().get(truth) == simdjson::SUCCESS) return truth;
  fail(value, fmt::format("{} {} is not true or false", what, in_quotes(token(value))));
}

bool is_null(Value& value) {
  bool null = false;
  if (value.is_null().get(null) == simdjson::SUCCESS) return null;
  fail(value, fmt::format("{} is not null", in_quotes(token(value))));
}

bool is_whole(double number) {
  constexpr double max_exact = 9007199254740992;  // 2^53
  return std::floor(number) == number && std::abs(number) < max_exact;
}

std::string_view key(simdjson::simdjson_result<simdjson::ondemand::field>& field) {
  const char* quote = field.key().value().raw() - 1;
  std::string_view name;
  if (field.unescaped_key().get(name) == simdjson::SUCCESS) return name;
  throw Malformed{quote, "a key has an invalid escape or half of a surrogate pair"};
}

void pass_over(Value value, unsigned depth) {
  using simdjson::ondemand::json_type;
  if (depth == deepest) fail(value, fmt::format("nested deeper than {} levels", deepest));
  switch (value.type()) {
    case json_type::array:
      for (auto element : value.get_array()) pass_over(element.value(), depth + 1);
      break;
    case json_type::object:
      for (auto field : value.get_object()) {
        static_cast<void>(key(field));
        pass_over(field.value(), depth + 1);
      }
      break;
    case json_type::number:
      static_cast<void>(number(value, "value"));
      break;
    case json_type::string:
      static_cast<void>(string(value, "value"));
      break;
    case json_type::boolean:
      static_cast<void>(boolean(value, "value"));
      break;
    case json_type::null:
      static_cast<void>(is_null(value));
      break;
  }
}

ParseError explain(simdjson::error_code error, std::string_view line,
                   simdjson::ondemand::document* document) {
  const std::size_t column = place_of(error, line, document) + 1;
  switch (error) {
    case simdjson::UTF8_ERROR:
      return {.column = column, .why = "not UTF-8, as JSON must be (iconv -f LATIN1 -t UTF-8)"};
    case simdjson::UNCLOSED_STRING:
      return {.column = column, .why = "a string that does not end"};
    case simdjson::UNESCAPED_CHARS:
      return {.column = column,
              .why = "a control character in a string, which JSON writes as \\n or \\u000a"};
    case simdjson::INCORRECT_TYPE:
      return {.column = column, .why = "expected an object: {\"text\": ..., \"label\": ...}"};
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
      return {.column = column,
              .why = "an object that does not end, or text after it: expected } at the end of the line"};
    case simdjson::CAPACITY:
      return {.column = column, .why = "a line of more than 4 GB"};
    default:
      return {.column = column,
              .why = "not JSON: a comma, colon, quote or bracket is missing or not in place"};
  }
}

}  // namespace askfew::json
