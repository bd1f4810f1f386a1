#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "askfew/streams/formats/common/cursor.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// The number of a label that a file writes as an integer. THROWS: ConfigError if it is none.
Examples::LabelId integer_label(std::string_view name);

/// Reads labels parted by commas, up to a blank or the end of the line; none if a blank is here.
tl::expected<void, ParseError> read_labels(Cursor& cursor, Examples& block);

/// Guesses from the labels of a file's first lines what kind they are.
class LabelKindGuess {
 public:
  /// The labels of a line, as they stand there.
  void see(std::string_view labels);

  /// Several labels on a line mean topics; 2, with or without 1 and nothing else, is the positive one of two;
  /// other numbers than -1, 0 and 1 are classes.
  [[nodiscard]] LabelKind kind() const;

 private:
  bool any_list_ = false;
  bool any_two_ = false;
  bool any_but_one_and_two_ = false;
  bool any_beyond_two_ = false;  // and not -1 or 0
};

}  // namespace askfew
