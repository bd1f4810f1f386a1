#pragma once

#include <tl/expected.hpp>

#include "askfew/core/errors.h"
#include "askfew/features/feature_sums.h"
#include "askfew/streams/formats/common/cursor.h"
#include "askfew/streams/formats/vw/vw_hash.h"

namespace askfew {

/// Reads the text before the first bar of a line: `[labels [importance]] ['tag]`. Adds the labels and returns
/// the importance, 1 if there is none. The last word is a tag if it touches the bar or begins with a quote,
/// as in Vowpal Wabbit; the tag is skipped.
tl::expected<double, ParseError> read_vw_head(std::string_view head, Examples& block);

/// Reads a line without its line end, piece by piece. This function defines the text format: faster readers
/// must agree with it. Returns the importance, or nothing if the line is blank; adds labels to the block and
/// features to the sums.
tl::expected<std::optional<double>, ParseError> read_vw_line(std::string_view line, const VwHash& hash,
                                                             FeatureSums& sums, Examples& block);

}  // namespace askfew
