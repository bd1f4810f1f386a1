#pragma once

// The careful reader of a line of svmlight text: it defines the format and says what is wrong.

#include <tl/expected.hpp>

#include "askfew/core/errors.h"
#include "askfew/streams/formats/common/cursor.h"

namespace askfew {

/// The range of indices in svmlight text.
struct SvmlightIndices {
  using Index = FeatureView::Index;

  /// The limit of features without a dimension: one weight vector of a gibibyte.
  static constexpr Index max_features = Index{1} << 27;

  Index base = 1;       ///< the first index, 0 or 1
  Index dimension = 0;  ///< number of features; 0 if unknown

  [[nodiscard]] Index limit() const { return dimension != 0 ? dimension : max_features; }
};

/// Skips `qid:N`. REQUIRES: it begins here.
tl::expected<void, ParseError> pass_over_qid(Cursor& cursor);

/// Reads a line without its line end, piece by piece. This function defines svmlight text: faster readers
/// must agree with it. Returns whether the line contains an example; the caller begins and ends the example.
tl::expected<bool, ParseError> read_svmlight_line(std::string_view line, const SvmlightIndices& indices,
                                                  Examples& block);

}  // namespace askfew
