#pragma once

// Turns records of JSON lines into examples.

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "askfew/features/text_features.h"
#include "askfew/streams/formats/json/json_record.h"

namespace askfew {

/// The shape of the first record; all records must have the same shape.
struct JsonShape {
  JsonRecord::Form form = JsonRecord::Form::words;
  std::size_t numbers = 0;  ///< length of an instance of numbers

  static JsonShape of(const JsonRecord& record) { return {record.form, record.numbers.size()}; }
};

/// Turns records into examples. The object keeps its memory, so that a record allocates nothing.
class JsonExamples {
 public:
  /// REQUIRES: the features outlive this object.
  JsonExamples(JsonShape shape, const TextFeatures& features)
      : shape_(shape), features_(features), scratch_(features) {}

  void set_shape(JsonShape shape) { shape_ = shape; }
  /// Adds features, labels and time to the example under construction, and ends the example. After an error,
  /// which has its column, the caller must abandon the example.
  tl::expected<void, ParseError> add(const JsonRecord& record, Examples& block);

 private:
  /// The fault of the record's features, or an empty text.
  std::string add_words(const JsonRecord& record, Examples& block);
  std::string add_indexed(const JsonRecord& record, Examples& block);

  JsonShape shape_;
  const TextFeatures& features_;
  TextScratch scratch_;
  std::vector<JsonRecord::Indexed> indexed_;  // features in ascending order
};

}  // namespace askfew
