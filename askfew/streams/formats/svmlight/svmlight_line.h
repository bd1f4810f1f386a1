#pragma once

#include <tl/expected.hpp>

#include "askfew/core/errors.h"
#include "askfew/streams/formats/common/cursor.h"

namespace askfew {

/// How the indices of svmlight text count.
struct SvmlightIndices {
  using Index = FeatureView::Index;

  /// Without a dimension there may be so many features: one weight vector of a gibibyte.
  static constexpr Index max_features = Index{1} << 27;

  Index base = 1;       ///< the first index, 0 or 1
  Index dimension = 0;  ///< number of features, 0 if it is not known

  [[nodiscard]] Index limit() const { return dimension != 0 ? dimension : max_features; }
};

/// Passes over `qid:N`. REQUIRES: it begins here.
tl::expected<void, ParseError> pass_over_qid(Cursor& cursor);

/// Reads a line without its end, piece by piece. This says what svmlight text is: what reads faster must
/// agree with it. Returns whether the line holds an example, of which begin and end are left to the caller.
tl::expected<bool, ParseError> read_svmlight_line(std::string_view line, const SvmlightIndices& indices,
                                                  Examples& block);

}  // namespace askfew
