#pragma once

#include <simdjson.h>
#include <string_view>
#include <utility>
#include <vector>

#include "askfew/streams/formats/json/json_record.h"

namespace askfew {

/// Reads the fields of an object into a record.
class JsonFields {
 public:
  JsonFields(FeatureView::Index dimension, const MixedLabels& labels)
      : dimension_(dimension), labels_(labels) {}

  tl::expected<const JsonRecord*, ParseError> read(std::string_view line);
  [[nodiscard]] const JsonRecord& record() const { return record_; }

 private:
  using Value = simdjson::ondemand::value;
  struct Key {
    std::string_view name;
    void (JsonFields::*read)(Value value);
  };
  static const Key keys[];

  void clear();
  void read_object(simdjson::ondemand::document& document);
  void read_id(Value value);
  void read_text(Value value);
  void read_x(Value value);
  void read_features(Value value);
  void read_label(Value value);
  void read_labels(Value value);
  void read_time(Value value);
  void read_report(Value value);

  void become(JsonRecord::Form form, Value value, std::string_view key);
  void add_named(std::string_view name, Value value);
  void add_pair(Value value);
  /// Adds a label and returns whether it is -1, 0 or +1.
  bool add_label(Value value);
  void drop_repeated_labels();

  FeatureView::Index dimension_;
  const MixedLabels& labels_;
  simdjson::ondemand::parser parser_;
  JsonRecord record_;
  std::vector<std::pair<Examples::LabelId, std::size_t>>
      places_;  ///< places of labels, to drop repeated labels
  std::string_view line_;
};

}  // namespace askfew
