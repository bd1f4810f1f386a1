#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "askfew/features/text_features.h"
#include "askfew/models/model.h"
#include "askfew/sessions/label_queue.h"
#include "askfew/streams/formats/common/mixed_labels.h"
#include "askfew/streams/formats/json/json_examples.h"
#include "askfew/streams/formats/json/json_record.h"

namespace askfew {

/// A line that came, and what it says. It is filled again and again, and then allocates nothing.
struct Incoming {
  enum class Kind : std::uint8_t {
    blank,     ///< nothing to answer
    instance,  ///< predict it, and decide whether its label is worth asking
    label,     ///< for an instance that came before
    report,    ///< how does it go?
    no_room,   ///< an instance that there is no memory for
    malformed
  };
  Kind kind = Kind::blank;
  std::uint64_t number = 0;          ///< of the line, from 1
  std::string_view line;             ///< REQUIRES: who fills it keeps the bytes
  std::string id;                    ///< unlike for a string and a number; empty: none was found
  std::string id_token;              ///< as it was written
  Examples example;                  ///< of an instance: one row, not settled yet
  std::uint64_t content = 0;         ///< a hash of that, whatever the id and the spaces between
  std::optional<LabelNumber> label;  ///< nothing: who should give it declines
  ParseError error;                  ///< of a malformed line, and why there is no memory
};

/// Reads lines of JSON as a model understands them. What a line means depends on no line before it, but for
/// the shape of the first instance, which all others must have.
class IncomingReader {
 public:
  /// Bytes behind a line that must be readable, whatever they hold.
  static constexpr std::size_t padding = JsonReader::padding;
  /// A line that is longer is malformed, and nobody needs to keep more of it than one byte more.
  static constexpr std::size_t longest_line = std::size_t{1} << 24;

  /// THROWS: ConfigError for a model that lines cannot be read for.
  explicit IncomingReader(const ModelConfig& config);

  /// Fills all of `out`. REQUIRES: `padding` bytes behind the line are readable.
  void read(std::string_view line, std::uint64_t number, Incoming& out);

  /// The shape of instances, if it is known; to put it back where the first instance did not count.
  using Shape = std::optional<JsonShape>;
  [[nodiscard]] Shape shape() const { return shape_; }
  void set_shape(const Shape& shape) { shape_ = shape; }

 private:
  void read_instance(const JsonRecord& record, Incoming& out);
  void read_label(const JsonRecord& record, Incoming& out);
  static void refuse(ParseError error, Incoming& out);
  [[nodiscard]] std::string refusal_of(const JsonShape& shape) const;

  ModelConfig config_;
  TextFeatures features_;
  std::shared_ptr<LabelNames> known_names_;  // no others are kept, whatever comes
  MixedLabels names_;
  Labelling labelling_;
  JsonReader reader_;
  JsonExamples examples_;
  Shape shape_;
  std::vector<Label> labels_;     // scratch
  bool are_names_words_ = false;  // no label that is positive is a number
};

}  // namespace askfew
