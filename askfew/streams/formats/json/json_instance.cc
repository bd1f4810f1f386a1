// Reads the instance of a JSON record.

#include <fmt/core.h>

#include "askfew/config/text.h"
#include "askfew/streams/formats/json/json_fields.h"
#include "askfew/streams/formats/json/json_values.h"

namespace askfew {

using simdjson::ondemand::json_type;

void JsonFields::read_text(Value value) {
  become(JsonRecord::Form::words, value, "text");
  switch (value.type()) {
    case json_type::array:
      for (auto element : value.get_array())
        record_.texts.push_back({"", json::string(element.value(), "text")});
      break;
    case json_type::object:
      for (auto field : value.get_object()) {
        const std::string_view name = json::key(field);
        record_.texts.push_back({name, json::string(field.value(), "text")});
      }
      break;
    default:
      record_.texts.push_back({"", json::string(value, "text")});
  }
}

void JsonFields::read_field_of_text(Value value) {
  become(JsonRecord::Form::words, value, key_->name);
  record_.texts.push_back({key_->name, json::string(value, "text")});
}

void JsonFields::read_x(Value value) {
  become(JsonRecord::Form::numbers, value, "x");
  if (value.type() != json_type::array) json::fail(value, "expected an array of numbers: \"x\": [0.5, 2]");
  const char* const place = json::token(value).data();
  for (auto element : value.get_array()) record_.numbers.push_back(json::number(element.value(), "x"));
  // All instances have the length of the first.
  if (record_.numbers.empty()) throw Malformed{place, "x has no numbers: expected \"x\": [0.5, 2]"};
}

void JsonFields::read_features(Value value) {
  const json_type type = value.type();
  if (type == json_type::array) {
    become(JsonRecord::Form::indices, value, "features");
    for (auto element : value.get_array()) add_pair(element.value());
  } else if (type == json_type::object) {
    become(JsonRecord::Form::words, value, "features");
    for (auto field : value.get_object()) {
      const std::string_view name = json::key(field);
      add_named(name, field.value());
    }
  } else {
    json::fail(value,
               "expected names and values, or pairs of index and value: "
               "\"features\": {\"height\": 2} or [[7, 0.5]]");
  }
}

/// A record may combine text and named features; all other forms stand alone.
void JsonFields::become(JsonRecord::Form form, Value value, std::string_view key) {
  if (record_.form != JsonRecord::Form::none &&
      (form != JsonRecord::Form::words || record_.form != JsonRecord::Form::words)) {
    json::fail(value,
               fmt::format("'{}' beside other features: an instance is 'x', or 'features' with indices, or "
                           "'text' and 'features' with names",
                           key));
  }
  record_.form = form;
  record_.column = static_cast<std::size_t>(value.raw_json_token().data() - line_.data()) + 1;
}

void JsonFields::add_named(std::string_view name, Value value) {
  double number = 1;
  const std::size_t begin = record_.names.size();
  record_.names += name;
  switch (value.type()) {
    case json_type::string:
      (record_.names += '=') += json::string(value, "feature");
      break;
    case json_type::boolean:
      number = json::boolean(value, "feature") ? 1 : 0;
      break;
    case json_type::null:
      number = json::is_null(value) ? 0 : 1;
      break;
    case json_type::number:
      number = json::number(value, "feature");
      break;
    default:
      json::fail(value, fmt::format("feature {} is not a number, a string, true or false", in_quotes(name)));
  }
  if (number != 0) record_.named.push_back({begin, record_.names.size() - begin, number});
}

void JsonFields::add_pair(Value value) {
  double pair[2] = {};
  std::size_t size = 0;
  if (value.type() == json_type::array) {
    for (auto element : value.get_array()) {
      Value part = element.value();
      if (size == 2) json::fail(part, "more than an index and a value");
      pair[size] = json::number(part, size == 0 ? "index" : "value");
      if (size == 0 && (!json::is_whole(pair[0]) || pair[0] < 0 || pair[0] >= dimension_)) {
        json::fail(part, fmt::format("index {} is out of range, accepted: 0 to {}",
                                     in_quotes(json::token(part)), dimension_ - 1));
      }
      ++size;
    }
  }
  if (size != 2) json::fail(value, "expected a pair of index and value: [7, 0.5]");
  if (pair[1] != 0) record_.indexed.push_back({static_cast<FeatureView::Index>(pair[0]), pair[1]});
}

}  // namespace askfew
