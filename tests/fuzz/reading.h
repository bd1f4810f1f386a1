#pragma once

#include <vector>

#include "askfew/streams/open.h"

namespace askfew::fuzz {

/// Everything that a file of records gave, malformed ones left out.
struct WhatWasRead {
  Examples rows;
  Skipped skipped;
  std::string failure;  ///< why the file could not be read to its end, or empty
};

/// Reads a file to its end, and checks what every stream of lines promises: rows and errors come in the order
/// of their lines, an error says where and why, and neither threads nor chunks change anything.
/// `options.skipped` is filled in. THROWS: ConfigError, DataError.
WhatWasRead read_all(std::string_view bytes, StreamOptions options);

/// Features ascend, lie below the dimension (0: any) and are finite; the norm is the one of the values.
void check_row(const Examples& rows, std::size_t row, FeatureView::Index dimension);

/// The same rows, errors and end.
void check_same(const WhatWasRead& a, const WhatWasRead& b);

/// The same line, labels and features, to the bit.
bool same_row(const Examples& a, std::size_t row_a, const Examples& b, std::size_t row_b);
/// The same without the lines.
bool same_content(const Examples& a, std::size_t row_a, const Examples& b, std::size_t row_b);

}  // namespace askfew::fuzz
