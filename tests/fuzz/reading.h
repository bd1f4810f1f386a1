#pragma once

#include <vector>

#include "askfew/streams/open.h"

namespace askfew::fuzz {

/// All well-formed records of a file.
struct WhatWasRead {
  Examples rows;
  Skipped skipped;
  std::string failure;  ///< why the file could not be read to its end; empty if it could
};

/// Reads a file to its end and checks what every stream of lines promises: rows and errors come in the order
/// of their lines, an error has a place and a reason, and neither threads nor chunks change anything. Sets
/// `options.skipped`. THROWS: ConfigError, DataError.
WhatWasRead read_all(std::string_view bytes, StreamOptions options);

/// Checks that indices ascend and lie below the dimension (0: any), that values are finite, and that the norm
/// is the norm of the values.
void check_row(const Examples& rows, std::size_t row, FeatureView::Index dimension);

/// Have both the same rows, errors and end?
void check_same(const WhatWasRead& a, const WhatWasRead& b);

/// Have both rows the same line, labels and features, to the bit?
bool same_row(const Examples& a, std::size_t row_a, const Examples& b, std::size_t row_b);
/// The same comparison without the lines.
bool same_content(const Examples& a, std::size_t row_a, const Examples& b, std::size_t row_b);

}  // namespace askfew::fuzz
