#pragma once

#include <tl/expected.hpp>

#include "askfew/core/errors.h"
#include "askfew/features/feature_sums.h"
#include "askfew/streams/cursor.h"

namespace askfew {

/// The numbers of Vowpal Wabbit's features: a hash of the name (XXH3, the lowest bits), seeded by that of the
/// namespace.
class VwHash {
 public:
  using Index = FeatureView::Index;

  explicit VwHash(unsigned bits) : bits_(bits), mask_((Index{1} << bits) - 1) {}

  [[nodiscard]] unsigned bits() const { return bits_; }
  [[nodiscard]] Index dimension() const { return mask_ + 1; }
  [[nodiscard]] static std::uint64_t seed_of(std::string_view name_space);
  [[nodiscard]] Index index_of(std::string_view name, std::uint64_t seed) const;

 private:
  unsigned bits_;
  Index mask_;
};

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
