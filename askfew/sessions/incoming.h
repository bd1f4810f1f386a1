#pragma once

// Reads a line of JSON and says what it means to a session.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "askfew/features/text_features.h"
#include "askfew/models/model.h"
#include "askfew/sessions/control_line.h"
#include "askfew/sessions/instance.h"
#include "askfew/sessions/label_queue.h"
#include "askfew/streams/formats/common/mixed_labels.h"
#include "askfew/streams/formats/json/json_examples.h"
#include "askfew/streams/formats/json/json_record.h"

namespace askfew {

/// What a line says about the topics in question that it does not name.
enum class OtherTopics : std::uint8_t { not_told, negative, declined };

/// A received line and its meaning. The object is reused for many lines and then allocates nothing.
struct Incoming {
  enum class Kind : std::uint8_t {
    blank,     ///< nothing to answer
    instance,  ///< predict it, and decide whether to ask its label
    label,     ///< for an earlier instance
    labelled,  ///< an instance with its label, which nobody asked for
    report,    ///< a request for a report
    pending,   ///< a request for the waiting questions
    disputed,  ///< a request for the questions on which people disagree
    peek,      ///< what would be decided about an instance; nothing changes
    settings,  ///< other settings from here on
    no_room,   ///< an instance for which there is no memory
    malformed
  };
  Kind kind = Kind::blank;
  std::uint64_t number = 0;        ///< number of the line, from 1
  std::string_view line;           ///< REQUIRES: the caller keeps the bytes
  std::string id;                  ///< differs for a string and a number with the same digits; empty: no id
                                   ///< found
  std::string id_token;            ///< the id as it was written
  Examples example;                ///< for an instance, labelled or not, and a peek: one row, not settled yet
  std::uint64_t content = 0;       ///< a hash of the instance without its id and without white space
  std::vector<GivenLabel> labels;  ///< by task; of one task one label, of topics those that the line names
  OtherTopics others = OtherTopics::not_told;
  PendingRequest pending;    ///< for a request for the waiting questions
  DisputedRequest disputed;  ///< for a request for the questions on which people disagree
  SettingsChange settings;   ///< for other settings
  std::string own_line;      ///< the bytes of `line`, if the instance did not come as a line, or of a peek
  std::string note;          ///< what the sender of a label should know; empty: nothing
  ParseError error;          ///< for a malformed line, or why there is no memory
};

/// Is a line of this kind recorded in a ledger, with its outcome?
constexpr bool is_recorded(Incoming::Kind kind) {
  return kind == Incoming::Kind::instance || kind == Incoming::Kind::label ||
         kind == Incoming::Kind::labelled || kind == Incoming::Kind::settings;
}

/// Reads lines of JSON for a model. The meaning of a line does not depend on earlier lines, with two
/// exceptions: all instances must have the shape of the first instance, and the first negative label may
/// close the set of labels.
class IncomingReader {
 public:
  /// Number of bytes after a line that must be readable, whatever they contain.
  static constexpr std::size_t padding = JsonReader::padding;
  /// A longer line is malformed. A caller needs to keep at most one byte more than this of a line.
  static constexpr std::size_t longest_line = std::size_t{1} << 24;

  /// THROWS: ConfigError if the model cannot read lines.
  explicit IncomingReader(const ModelConfig& config);

  /// Sets all members of `out`. REQUIRES: `padding` bytes after the line are readable.
  void read(std::string_view line, std::uint64_t number, Incoming& out);
  /// The same for an instance that is no line; its line is made, and not read.
  void read(const Instance& instance, std::uint64_t number, Incoming& out);

  /// What the first lines have fixed. A caller can restore it if those lines were not accepted.
  struct Fixed {
    std::optional<JsonShape> shape;  ///< of instances
    std::string negative;            ///< the negative label, if the plan closes with the first one

    bool operator==(const Fixed& other) const {
      return negative == other.negative && shape.has_value() == other.shape.has_value() &&
             (!shape || (shape->form == other.shape->form && shape->numbers == other.shape->numbers));
    }
    static void state(auto& self, auto& visit) {
      bool has_shape = self.shape.has_value();
      JsonShape found = self.shape.value_or(JsonShape());
      visit("has_shape", has_shape);
      visit("form", found.form);
      visit("numbers", found.numbers);
      visit("negative", self.negative);
      if constexpr (!std::is_const_v<std::remove_reference_t<decltype(self)>>) {
        self.shape.reset();
        if (has_shape) self.shape = found;
      }
    }
  };
  [[nodiscard]] const Fixed& fixed() const { return fixed_; }
  void set_fixed(const Fixed& fixed) { fixed_ = fixed; }
  /// An instance with its label is malformed, unless the session takes such lines.
  void take_labelled(bool take) { takes_labelled_ = take; }

 private:
  static void begin(std::string_view line, std::uint64_t number, Incoming& out);
  void set_id(const JsonRecord::Id& id, Incoming& out) const;
  void read_instance(const JsonRecord& record, Incoming& out);
  void read_control(std::string_view line, Incoming& out);
  /// Reads the instance of a peek, which fixes nothing.
  void read_peek(const PeekRequest& request, Incoming& out);
  /// Writes the content of an instance into record_. Returns the fault, or an empty text.
  std::string set_content(const Instance& instance);
  /// Sets `kind`, `labels` and `others`.
  void read_label(const JsonRecord& record, Incoming& out);
  void read_topics(const JsonRecord& record, Incoming& out);
  /// The fault of the first label that no topic has.
  [[nodiscard]] std::string refusal_of_stranger(const Incoming& incoming) const;
  static void refuse(ParseError error, Incoming& out);
  [[nodiscard]] std::string refusal_of(const JsonShape& shape) const;
  /// Checks a label that is not positive against the negative one, which the first of them fixes. Returns
  /// the fault, or an empty text.
  std::string close_labels(std::string_view name, Incoming& out);

  ModelConfig config_;
  TextFeatures features_;
  std::shared_ptr<LabelNames> known_names_;  // unknown names in the data are not stored
  MixedLabels names_;
  Labelling labelling_;
  JsonReader reader_;
  JsonExamples examples_;
  JsonRecord record_;  // of an instance that is no line
  InstanceKeys keys_;
  Fixed fixed_;
  std::vector<Label> labels_;     // scratch
  bool are_names_words_ = false;  // no positive label is a number
  bool takes_labelled_ = false;
};

}  // namespace askfew
