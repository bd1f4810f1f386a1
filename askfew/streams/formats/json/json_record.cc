#include "askfew/streams/formats/json/json_record.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "askfew/config/nearest_name.h"
#include "askfew/config/text.h"
#include "askfew/config/timestamp.h"
#include "askfew/streams/formats/json/json_fields.h"
#include "askfew/streams/formats/json/json_values.h"

namespace askfew {
namespace {

using simdjson::ondemand::json_type;

constexpr std::size_t max_keys = 60;  // one bit each

bool has_control_characters(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return true;
  }
  return false;
}

}  // namespace

JsonFields::JsonFields(FeatureView::Index dimension, const MixedLabels& labels, const TableOptions& names)
    : dimension_(dimension), labels_(labels), text_keys_(names.text_columns) {
  const auto add = [&](const std::string& name, void (JsonFields::*reader)(Value)) {
    if (std::ranges::find(keys_, name, &Key::name) != keys_.end()) {
      throw ConfigError(fmt::format("the key {} is told twice, or has a meaning already", in_quotes(name)));
    }
    if (keys_.size() == max_keys) throw ConfigError(fmt::format("more than {} keys are told", max_keys));
    keys_.push_back({name, reader});
  };
  const auto or_usual = [](const std::string& told, std::string_view usual) {
    return told.empty() ? std::string(usual) : told;
  };
  add("x", &JsonFields::read_x);
  add("features", &JsonFields::read_features);
  add("report", &JsonFields::read_report);
  add(or_usual(names.id_column, "id"), &JsonFields::read_id);
  add(or_usual(names.time_column, "time"), &JsonFields::read_time);
  if (names.label_column.empty()) {
    add("label", &JsonFields::read_label);
    add("labels", &JsonFields::read_labels);
  } else {
    add(names.label_column, &JsonFields::read_label_or_labels);
  }
  // The words of several texts are features of their own, as those of several columns.
  const bool are_fields = text_keys_.size() > 1;
  for (const std::string& name : text_keys_) {
    add(name, are_fields ? &JsonFields::read_field_of_text : &JsonFields::read_text);
  }
  if (text_keys_.empty()) add("text", &JsonFields::read_text);
}

std::string JsonFields::no_instance() const {
  const std::vector<std::string> others(other_keys_.begin(), other_keys_.end());
  std::string keys;
  for (const std::string& name : others) keys += (keys.empty() ? "" : ", ") + in_quotes(name);
  if (text_keys_.empty()) {
    return "expected a key 'text', 'x' or 'features', or the name of the text's key in `text_columns`" +
           (keys.empty() ? keys : "; its other keys: " + keys);
  }
  return fmt::format("no key {}: {}its other keys: {}", in_quotes(text_keys_[0]),
                     nearest_or_nothing(text_keys_[0], others), keys.empty() ? "none" : keys);
}

std::string JsonFields::no_label() const {
  if (other_keys_.empty()) return "no label";
  const std::vector<std::string> others(other_keys_.begin(), other_keys_.end());
  return fmt::format("no label (its other keys: {}; `label_column` names the key of the label)",
                     list_in_quotes(others));
}

void JsonFields::clear() {
  record_.form = JsonRecord::Form::none;
  record_.texts.clear();
  record_.numbers.clear();
  record_.named.clear();
  record_.names.clear();
  record_.indexed.clear();
  record_.labels.clear();
  record_.told.clear();
  record_.are_told_apart = false;
  record_.has_label = false;
  record_.label_kind = LabelKind::binary;
  record_.time.reset();
  record_.id.reset();
  record_.wants_report = false;
}

tl::expected<const JsonRecord*, ParseError> JsonFields::read(std::string_view line, bool takes_told) {
  static_assert(JsonReader::padding >= simdjson::SIMDJSON_PADDING);
  clear();
  takes_told_ = takes_told;
  line_ = line;
  simdjson::ondemand::document document;
  const auto begun =
      parser_.iterate(line.data(), line.size(), line.size() + JsonReader::padding).get(document);
  if (begun != simdjson::SUCCESS) return tl::make_unexpected(json::explain(begun, line, nullptr));
  try {
    read_object(document);
  } catch (const Malformed& malformed) {
    const auto column = static_cast<std::size_t>(malformed.place - line.data()) + 1;
    return tl::make_unexpected(ParseError{.column = column, .why = malformed.why});
  } catch (const simdjson::simdjson_error& error) {
    return tl::make_unexpected(json::explain(error.error(), line, &document));
  }
  return &record_;
}

void JsonFields::read_object(simdjson::ondemand::document& document) {
  std::uint64_t seen = 0;
  other_keys_.clear();
  for (auto field : document.get_object()) {
    const std::string_view name = json::key(field);
    Value value = field.value();
    const auto found = std::ranges::find(keys_, name, &Key::name);
    if (found == keys_.end()) {
      other_keys_.push_back(name);
      json::pass_over(value);
      continue;
    }
    key_ = &*found;
    const std::uint64_t bit = std::uint64_t{1} << (found - keys_.begin());
    if ((seen & bit) != 0) json::fail(value, fmt::format("the key '{}' occurs twice", name));
    seen |= bit;
    (this->*key_->read)(value);
  }
  const char* behind = nullptr;
  if (document.current_location().get(behind) == simdjson::SUCCESS)
    throw Malformed{behind, "more behind the object: expected one object a line"};
}

void JsonFields::read_id(Value value) {
  const std::string_view token = json::token(value);
  switch (value.type()) {
    case json_type::number:
      static_cast<void>(json::number(value, "id"));
      record_.id = {.token = token, .text = token, .is_string = false};
      break;
    case json_type::string:
      record_.id = {.token = token, .text = json::string(value, "id"), .is_string = true};
      break;
    default:
      json::fail(value, "expected an id: a string or a number");
  }
}

void JsonFields::read_label(Value value) {
  record_.has_label = true;
  if (record_.label_kind == LabelKind::topics) json::fail(value, "'label' beside 'labels'");
  if (json::is_null(value)) return;
  if (!add_label(value)) record_.label_kind = LabelKind::classes;
}

void JsonFields::read_label_or_labels(Value value) {
  if (value.type() == json_type::array || value.type() == json_type::object) {
    read_labels(value);
  } else {
    read_label(value);
  }
}

void JsonFields::read_labels(Value value) {
  record_.has_label = true;
  if (!record_.labels.empty()) json::fail(value, "'labels' beside 'label'");
  if (json::is_null(value)) return;
  record_.label_kind = LabelKind::topics;
  if (value.type() == json_type::object && takes_told_) return read_told(value);
  if (value.type() != json_type::array)
    json::fail(value, "expected an array: \"labels\": [\"earn\", \"acq\"]");
  for (auto element : value.get_array()) {
    Value label = element.value();
    if (record_.labels.size() == JsonReader::max_labels)
      json::fail(label, fmt::format("more than {} labels", JsonReader::max_labels));
    add_label(label);
  }
  drop_repeated_labels();
}

void JsonFields::read_told(Value value) {
  record_.are_told_apart = true;
  const std::string_view token = json::token(value);
  places_.clear();
  for (auto field : value.get_object()) {
    const std::string_view name = json::key(field);
    Value told = field.value();
    if (record_.labels.size() == JsonReader::max_labels)
      json::fail(told, fmt::format("more than {} labels", JsonReader::max_labels));
    places_.push_back({labels_.id(name), record_.labels.size()});
    record_.labels.push_back(places_.back().first);
    switch (told.type()) {
      case json_type::boolean:
        record_.told.push_back(json::boolean(told, "label") ? JsonRecord::Told::yes : JsonRecord::Told::no);
        break;
      case json_type::null:
        static_cast<void>(json::is_null(told));
        record_.told.push_back(JsonRecord::Told::nothing);
        break;
      default:
        json::fail(told, fmt::format("expected true, false or null for label {}", in_quotes(name)));
    }
  }
  std::ranges::sort(places_);
  const auto is_twice = [](const auto& a, const auto& b) {
    return a.first == b.first && a.first != LabelNames::unknown;
  };
  const auto twice = std::ranges::adjacent_find(places_, is_twice);
  if (twice != places_.end())
    throw Malformed{token.data(),
                    fmt::format("label {} is told twice", in_quotes(labels_.name(twice->first)))};
}

/// Removes repeated labels. The first of each stays, in order.
void JsonFields::drop_repeated_labels() {
  std::vector<Examples::LabelId>& labels = record_.labels;
  places_.clear();
  for (std::size_t k = 0; k < labels.size(); ++k) places_.push_back({labels[k], k});
  std::sort(places_.begin(), places_.end());
  const auto past =
      std::unique(places_.begin(), places_.end(), [](auto& a, auto& b) { return a.first == b.first; });
  if (past == places_.end()) return;
  std::sort(places_.begin(), past, [](auto& a, auto& b) { return a.second < b.second; });
  labels.clear();
  for (auto place = places_.begin(); place != past; ++place) labels.push_back(place->first);
}

bool JsonFields::add_label(Value value) {
  Examples::LabelId id = 0;
  const std::string_view token = json::token(value);
  record_.label_text = token;
  switch (value.type()) {
    case json_type::boolean:
      id = json::boolean(value, "label") ? 1 : 0;
      break;
    case json_type::number: {
      const double number = json::number(value, "label");
      if (!json::is_whole(number))
        json::fail(value, fmt::format("label {} is not a whole number", in_quotes(token)));
      id = labels_.id(fmt::format("{}", static_cast<std::int64_t>(number)));
      break;
    }
    case json_type::string: {
      const std::string_view text = json::string(value, "label");
      if (text.empty() || has_control_characters(text))
        throw Malformed{token.data(),
                        fmt::format("label {} is empty or has control characters", in_quotes(text))};
      record_.label_text = text;
      id = labels_.id(text);
      break;
    }
    default:
      json::fail(value, "expected a label: a string, a whole number, true or false");
  }
  record_.labels.push_back(id);
  return id >= -1 && id <= 1;
}

/// Data may have a field with this name and any value.
void JsonFields::read_report(Value value) {
  if (value.type() == json_type::boolean) {
    record_.wants_report = json::boolean(value, "report");
  } else {
    json::pass_over(value);
  }
}

void JsonFields::read_time(Value value) {
  if (json::is_null(value)) return;
  const std::string_view token = json::token(value);
  const auto wrong = [&] {
    return Malformed{token.data(),
                     fmt::format("time {} is neither seconds since 1970 nor like '1987-02-26T15:01:01Z'",
                                 in_quotes(token))};
  };
  if (value.type() == json_type::string) {
    record_.time = parse_iso_time(json::string(value, "time"));
    if (!record_.time) throw wrong();
  } else {
    const double seconds = std::floor(json::number(value, "time"));
    if (!json::is_whole(seconds)) throw wrong();
    record_.time = static_cast<std::int64_t>(seconds);
  }
}

JsonReader::JsonReader(Index dimension, const MixedLabels& labels, const TableOptions& names)
    : fields_(std::make_unique<JsonFields>(dimension, labels, names)) {}
JsonReader::~JsonReader() = default;
JsonReader::JsonReader(JsonReader&&) noexcept = default;
JsonReader& JsonReader::operator=(JsonReader&&) noexcept = default;

tl::expected<const JsonRecord*, ParseError> JsonReader::read(std::string_view line) {
  auto record = fields_->read(line, false);
  if (record && (*record)->form == JsonRecord::Form::none)
    return tl::make_unexpected(ParseError{.column = 1, .why = fields_->no_instance()});
  return record;
}

tl::expected<const JsonRecord*, ParseError> JsonReader::read_any(std::string_view line) {
  return fields_->read(line, true);
}

std::string JsonReader::no_label() const {
  return fields_->no_label();
}

const std::optional<JsonRecord::Id>& JsonReader::last_id() const {
  return fields_->record().id;
}

}  // namespace askfew
