#pragma once

#include <tl/expected.hpp>

#include "askfew/core/errors.h"
#include "askfew/features/feature_sums.h"
#include "askfew/streams/formats/common/cursor.h"
#include "askfew/streams/formats/vw/vw_hash.h"

namespace askfew {

/// Reads what stands before the first bar of a line: `[labels [importance]] ['tag]`. Adds the labels and
/// returns the importance, 1 if there is none. The last word is a tag if it touches the bar or begins with a
/// quote, as in Vowpal Wabbit; it is passed over.
tl::expected<double, ParseError> read_vw_head(std::string_view head, Examples& block);

/// Reads a line without its end, piece by piece. This says what the text format is: what reads faster must
/// agree with it. Returns the importance, or none if the line is blank and holds no example; adds labels to
/// the block and features to the sums.
tl::expected<std::optional<double>, ParseError> read_vw_line(std::string_view line, const VwHash& hash,
                                                             FeatureSums& sums, Examples& block);

}  // namespace askfew
