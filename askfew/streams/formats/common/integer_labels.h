#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "askfew/streams/formats/common/cursor.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// The number of a label that a file writes as an integer. THROWS: ConfigError if the name is not an integer.
Examples::LabelId integer_label(std::string_view name);

/// Reads labels separated by commas, up to a blank or the end of the line; no labels if the cursor is at a
/// blank.
tl::expected<void, ParseError> read_labels(Cursor& cursor, Examples& block);

/// Guesses the kind of labels from a file's first lines.
class LabelKindGuess {
 public:
  /// Adds the labels of a line, as written.
  void see(std::string_view labels);
  /// Adds the only label of an example.
  void see(Examples::LabelId label);

  /// Several labels on a line mean topics. Only 1 and 2, or only 2: binary, 2 is positive. Numbers other than
  /// -1, 0 and 1: classes.
  [[nodiscard]] LabelKind kind() const;

 private:
  bool any_list_ = false;
  bool any_two_ = false;
  bool any_but_one_and_two_ = false;
  bool any_beyond_two_ = false;  // a number other than -1, 0, 1 and 2
};

}  // namespace askfew
