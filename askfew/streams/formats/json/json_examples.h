#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "askfew/features/text_features.h"
#include "askfew/streams/formats/json/json_record.h"

namespace askfew {

/// What the first record holds, all hold.
struct JsonShape {
  JsonRecord::Form form = JsonRecord::Form::words;
  std::size_t numbers = 0;  ///< of an instance of numbers

  static JsonShape of(const JsonRecord& record) { return {record.form, record.numbers.size()}; }
};

/// Turns records into examples. It keeps its room, so that one allocates nothing.
class JsonExamples {
 public:
  /// REQUIRES: the features outlive it.
  JsonExamples(JsonShape shape, const TextFeatures& features)
      : shape_(shape), features_(features), scratch_(features) {}

  void set_shape(JsonShape shape) { shape_ = shape; }
  /// Adds features, labels and time to the example that is begun, and ends it; after an error, which has its
  /// column, it is to be abandoned.
  tl::expected<void, ParseError> add(const JsonRecord& record, Examples& block);

 private:
  /// What is wrong with its features, or an empty text.
  std::string add_words(const JsonRecord& record, Examples& block);
  std::string add_indexed(const JsonRecord& record, Examples& block);

  JsonShape shape_;
  const TextFeatures& features_;
  TextScratch scratch_;
  std::vector<JsonRecord::Indexed> indexed_;  // features in their order
};

}  // namespace askfew
