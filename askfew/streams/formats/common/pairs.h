#pragma once

// Reads the pairs `index:value` of a line, several at a time.

#include "askfew/core/examples.h"
#include "askfew/streams/formats/common/marks.h"

namespace askfew {

/// The pairs of a line `label index:value ...`: pair k lies between ends[k] and ends[k + 1], its colon at
/// colons[k].
struct PairTokens {
  const char* text = nullptr;
  const Position* ends = nullptr;
  const Position* colons = nullptr;
  std::size_t count = 0;
};

/// The result of reading a line.
struct PairsRead {
  bool usual = false;       ///< all pairs are numbers; if false, the other members are meaningless
  bool has_zero = false;    ///< a value is 0
  double squared_norm = 0;  ///< the sum of the squared values, added in order
};

/// Reads pairs, several at a time: a whole number, a colon, a finite number. Short numbers without an
/// exponent are the fastest; a number with more than 19 digits, or of an unusual form, is read by itself and
/// does not slow the others. The values are bit for bit those of fast_float. `base` is subtracted from the
/// indices, modulo 2^32; the caller checks that indices ascend. `squares` is the start of the sum of squares.
///
/// REQUIRES: 32 bytes before the text may be read; also `spare_marks` positions after those of the line;
/// there is room for `count + pair_slack` features.
PairsRead read_pairs(const PairTokens& tokens, FeatureView::Index base, double squares,
                     const Examples::Room& out);

/// So many additional features may be overwritten.
constexpr std::size_t pair_slack = 16;

/// Reads values in the same way: value k lies between before[k] and ends[k]. Returns the number of values
/// before the first that is not a finite number. REQUIRES: as above, for all three arrays; there is room for
/// `count + pair_slack` values.
std::size_t read_values(const char* text, const Position* before, const Position* ends, std::size_t count,
                        double* out);

/// Is each index larger than the index before?
bool ascend(const FeatureView::Index* indices, std::size_t count);

}  // namespace askfew
