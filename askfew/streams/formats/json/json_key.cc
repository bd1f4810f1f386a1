#include "askfew/streams/formats/json/json_key.h"

#include <simdjson.h>
#include <utility>

#include "askfew/streams/formats/json/json_record.h"

namespace askfew {

struct JsonKey::Parser {
  simdjson::ondemand::parser parser;
};

JsonKey::JsonKey(std::string field) : field_(std::move(field)), parser_(std::make_unique<Parser>()) {}
JsonKey::~JsonKey() = default;

const JsonKey::Found* JsonKey::find(std::string_view line) {
  namespace ondemand = simdjson::ondemand;
  ondemand::document document;
  const simdjson::padded_string_view padded(line.data(), line.size(), line.size() + JsonReader::padding);
  if (parser_->parser.iterate(padded).get(document) != simdjson::SUCCESS) return nullptr;
  ondemand::value value;
  if (document.find_field_unordered(field_).get(value) != simdjson::SUCCESS) return nullptr;
  ondemand::json_type type{};
  if (value.type().get(type) != simdjson::SUCCESS) return nullptr;
  std::string_view token = value.raw_json_token();
  while (!token.empty() && std::string_view(" \t\r\n").find(token.back()) != std::string_view::npos)
    token.remove_suffix(1);
  if (type == ondemand::json_type::number) {
    found_.key = token;
  } else if (type == ondemand::json_type::string) {
    std::string_view text;
    if (value.get_string().get(text) != simdjson::SUCCESS) return nullptr;
    found_.key = '"';
    found_.key += text;
  } else {
    return nullptr;
  }
  found_.token = token;
  return &found_;
}

}  // namespace askfew
