#pragma once

// A record of JSON lines, and how it is read.

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
#include "askfew/streams/formats/tables/table_options.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// The content of an object in a JSONL file.
struct JsonRecord {
  enum class Form : std::uint8_t {
    none,
    words,    ///< text, or features with names, or both
    numbers,  ///< a dense instance
    indices   ///< features with numbers
  };
  struct Text {
    std::string_view field;  ///< empty: no field
    std::string_view text;
  };
  struct Named {
    std::size_t begin = 0;  ///< beginning of its name in `names`
    std::size_t size = 0;
    double value = 0;
  };
  /// The id of the instance: a string or a number.
  struct Id {
    std::string_view token;  ///< as written, with its quotes
    std::string_view text;   ///< the decoded text
    bool is_string = false;
  };
  struct Indexed {
    FeatureView::Index index = 0;
    double value = 0;
  };

  Form form = Form::none;
  std::size_t column = 1;    ///< column of the key that determines the form
  std::vector<Text> texts;   ///< views into the line and the reader
  std::vector<Named> named;  ///< without zeros
  std::string names;         ///< the names for `named`
  std::vector<double> numbers;
  std::vector<Indexed> indexed;  ///< in any order, without zeros
  std::vector<Examples::LabelId> labels;
  /// What is said about each of the labels, in {"labels": {"a": true, "b": false, "c": null}}.
  enum class Told : std::uint8_t { yes, no, nothing };
  std::vector<Told> told;
  bool are_told_apart = false;               ///< `told` has one element per label; else all labels are true
  std::string_view label_text;               ///< the last label, as a text
  bool has_label = false;                    ///< there is a key for the label; null is not a label
  LabelKind label_kind = LabelKind::binary;  ///< as far as this record shows
  std::optional<std::int64_t> time;
  std::optional<Id> id;
  bool wants_report = false;  ///< the object has "report": true
};

class JsonFields;

/// Reads one line at a time. The object keeps its memory, so that a line allocates nothing.
class JsonReader {
 public:
  using Index = FeatureView::Index;

  /// Number of bytes after a line that must be readable, whatever they contain.
  static constexpr std::size_t padding = 64;

  /// A line with more labels is refused.
  static constexpr std::size_t max_labels = 65'536;

  /// Indices are below `dimension`. `names`: the keys of text, label, id and time, if they are not the usual
  /// ones. REQUIRES: the labels outlive this object. THROWS: ConfigError for names that contradict each
  /// other.
  JsonReader(Index dimension, const MixedLabels& labels, const TableOptions& names);
  ~JsonReader();
  JsonReader(JsonReader&&) noexcept;
  JsonReader& operator=(JsonReader&&) noexcept;

  /// An object with an instance. The record is valid until the next call. An error has its column. REQUIRES:
  /// `padding` bytes after the line are readable.
  tl::expected<const JsonRecord*, ParseError> read(std::string_view line);
  /// The same for any object: the form may be `none`, and labels may be told apart.
  tl::expected<const JsonRecord*, ParseError> read_any(std::string_view line);
  /// Why the last line has no label, with its other keys.
  [[nodiscard]] std::string no_label() const;
  /// The id of the last line, if it was read before an error.
  [[nodiscard]] const std::optional<JsonRecord::Id>& last_id() const;

 private:
  std::unique_ptr<JsonFields> fields_;  // includes the parser, whose header is large
};

}  // namespace askfew
