#pragma once

#include <simdjson.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "askfew/streams/formats/json/json_record.h"
#include "askfew/streams/formats/tables/table_options.h"

namespace askfew {

/// Reads the fields of an object into a record.
class JsonFields {
 public:
  /// THROWS: ConfigError if two keys have the same name.
  JsonFields(FeatureView::Index dimension, const MixedLabels& labels, const TableOptions& names);

  /// `takes_told`: labels may be an object, see JsonRecord::told.
  tl::expected<const JsonRecord*, ParseError> read(std::string_view line, bool takes_told);
  [[nodiscard]] const JsonRecord& record() const { return record_; }
  /// Why an object without an instance is refused: which keys it should have, and which it has.
  [[nodiscard]] std::string no_instance() const;
  /// The same for an object without a label.
  [[nodiscard]] std::string no_label() const;

 private:
  using Value = simdjson::ondemand::value;
  struct Key {
    std::string name;
    void (JsonFields::*read)(Value value);
  };

  void clear();
  void read_object(simdjson::ondemand::document& document);
  void read_id(Value value);
  void read_text(Value value);
  void read_field_of_text(Value value);
  void read_x(Value value);
  void read_features(Value value);
  void read_label(Value value);
  void read_labels(Value value);
  void read_told(Value value);
  void read_label_or_labels(Value value);
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
  std::vector<std::string> text_keys_;  // as told; empty: text
  std::vector<Key> keys_;
  const Key* key_ = nullptr;                  // that is being read
  std::vector<std::string_view> other_keys_;  // of the last object, for messages
  simdjson::ondemand::parser parser_;
  JsonRecord record_;
  std::vector<std::pair<Examples::LabelId, std::size_t>>
      places_;  ///< places of labels, to drop repeated labels
  std::string_view line_;
  bool takes_told_ = false;
};

}  // namespace askfew
