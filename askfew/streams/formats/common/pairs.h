#pragma once

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

/// What was read of a line.
struct PairsRead {
  bool usual = false;       ///< were all pairs of the usual form? Else nothing here means anything.
  bool has_zero = false;    ///< is a value 0?
  double squared_norm = 0;  ///< the squares of the values added up in order
};

/// Reads pairs of the usual form, several at a time: up to eight digits, a colon, up to eight characters
/// `[-]digits`, `[-].digits` or `[-]digits.digits`. The values are what fast_float would read, to the bit.
/// Indices are written less `base`, modulo 2^32; whether they ascend is left to the caller. `squares` is what
/// the sum of squares begins with.
///
/// REQUIRES: 16 bytes before the text may be read; `spare_marks` positions behind the line's, too; there is
/// room for `count + pair_slack` features.
PairsRead read_pairs(const PairTokens& tokens, FeatureView::Index base, double squares,
                     const Examples::Room& out);

/// So many features more than there are may be written.
constexpr std::size_t pair_slack = 16;

/// Reads values of the usual form: value k lies between colons[k] and ends[k]. False if one is not of that
/// form. REQUIRES: as above, for all three arrays; there is room for `count + pair_slack` values.
bool read_values(const char* text, const Position* colons, const Position* ends, std::size_t count,
                 double* out);

/// Does each index exceed the one before it?
bool ascend(const FeatureView::Index* indices, std::size_t count);

}  // namespace askfew
