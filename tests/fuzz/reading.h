#pragma once

#include <vector>

#include "askfew/streams/stream.h"

namespace askfew::fuzz {

/// Everything that a stream of lines gave: it can be read on after an error.
struct Reading {
  Examples rows;
  std::vector<ParseError> errors;
};

/// Reads to the end, and checks what every stream of lines promises: rows and errors come in the order of
/// their lines, an error says where and why and leaves no row, and the end comes.
Reading read_all(Stream& stream);

/// Features ascend, lie below the dimension (0: any) and are finite; the norm is the one of the values.
void check_row(const Examples& rows, std::size_t row, FeatureView::Index dimension);

/// The same line, labels and features, to the bit.
bool same_row(const Examples& a, std::size_t row_a, const Examples& b, std::size_t row_b);
/// The same without the lines.
bool same_content(const Examples& a, std::size_t row_a, const Examples& b, std::size_t row_b);

}  // namespace askfew::fuzz
