#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "askfew/core/errors.h"
#include "askfew/core/examples.h"
#include "askfew/streams/formats/common/mixed_labels.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// What an object of a JSONL file says.
struct JsonRecord {
  enum class Form : std::uint8_t {
    none,
    words,    ///< text, or features with names, or both
    numbers,  ///< a dense instance
    indices   ///< features with numbers
  };
  struct Text {
    std::string_view field;  ///< empty: none
    std::string_view text;
  };
  struct Named {
    std::size_t begin = 0;  ///< of its name, in `names`
    std::size_t size = 0;
    double value = 0;
  };
  /// What the instance is called: a string or a number.
  struct Id {
    std::string_view token;  ///< as it is written, with its quotes
    std::string_view text;   ///< what it means
    bool is_string = false;
  };
  struct Indexed {
    FeatureView::Index index = 0;
    double value = 0;
  };

  Form form = Form::none;
  std::size_t column = 1;    ///< where what the form is known by begins
  std::vector<Text> texts;   ///< views into the line and the reader
  std::vector<Named> named;  ///< none of them 0
  std::string names;         ///< of `named`
  std::vector<double> numbers;
  std::vector<Indexed> indexed;  ///< in any order, none of them 0
  std::vector<Examples::LabelId> labels;
  std::string_view label_text;               ///< the last of them, as a text
  bool has_label = false;                    ///< there is a key for it; null is no label
  LabelKind label_kind = LabelKind::binary;  ///< as far as this record tells
  std::optional<std::int64_t> time;
  std::optional<Id> id;
  bool wants_report = false;  ///< it says "report": true
};

class JsonFields;

/// Reads one line at a time. It keeps its room, so that a line allocates nothing.
class JsonReader {
 public:
  using Index = FeatureView::Index;

  /// Bytes behind a line that must be readable, whatever they hold.
  static constexpr std::size_t padding = 64;

  /// A line with more labels is refused.
  static constexpr std::size_t max_labels = 65'536;

  /// Indices are below `dimension`. REQUIRES: the labels outlive it.
  JsonReader(Index dimension, const MixedLabels& labels);
  ~JsonReader();
  JsonReader(JsonReader&&) noexcept;
  JsonReader& operator=(JsonReader&&) noexcept;

  /// An object with an instance. The record is valid until the next call. An error has its column.
  /// REQUIRES: `padding` bytes behind the line are readable.
  tl::expected<const JsonRecord*, ParseError> read(std::string_view line);
  /// The same for any object: the form may be none.
  tl::expected<const JsonRecord*, ParseError> read_any(std::string_view line);
  /// The id of the last line, if it was read before an error was found.
  [[nodiscard]] const std::optional<JsonRecord::Id>& last_id() const;

 private:
  std::unique_ptr<JsonFields> fields_;  // with the parser, whose header is large
};

}  // namespace askfew
