#pragma once

#define XXH_INLINE_ALL
#include <string_view>
#include <xxhash.h>

#include "askfew/core/features.h"
#include "askfew/streams/formats/common/marks.h"

namespace askfew {

/// The numbers of Vowpal Wabbit's features: a hash of the name (XXH3, the lowest bits), with the hash of the
/// namespace as seed.
class VwHash {
 public:
  using Index = FeatureView::Index;

  explicit VwHash(unsigned bits) : bits_(bits), mask_((Index{1} << bits) - 1) {}

  [[nodiscard]] unsigned bits() const { return bits_; }
  [[nodiscard]] Index dimension() const { return mask_ + 1; }
  [[nodiscard]] static std::uint64_t seed_of(std::string_view name_space) {
    return XXH3_64bits(name_space.data(), name_space.size());
  }
  [[nodiscard]] Index index_of(std::string_view name, std::uint64_t seed) const {
    return static_cast<Index>(XXH3_64bits_withSeed(name.data(), name.size(), seed)) & mask_;
  }

  /// Names in a text: name k lies between the positions before[k] and ends[k].
  struct Names {
    const Position* before = nullptr;
    const Position* ends = nullptr;
    std::size_t count = 0;
    [[nodiscard]] std::string_view name(const char* text, std::size_t k) const {
      return {text + before[k] + 1, ends[k] - before[k] - 1};
    }
  };
  /// Stores the indices of names, several at a time if they have up to eight bytes; up to `spare_names` more
  /// may be overwritten. False if a name is empty or ends before its begin. REQUIRES: 8 bytes before the text
  /// may be read; also `spare_names` positions after those of the names.
  static constexpr std::size_t spare_names = 8;
  [[nodiscard]] bool index_all(const char* text, const Names& names, std::uint64_t seed, Index* out) const;

 private:
  unsigned bits_;
  Index mask_;
};

}  // namespace askfew
