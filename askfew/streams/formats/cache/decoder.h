#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "askfew/streams/format.h"
#include "askfew/streams/label_names.h"

namespace askfew {

/// Reads the payloads of a cache's blocks. The decoder trusts the checksums for the values of numbers, but
/// checks every size and position: for any bytes, the examples are well-formed.
class BlockDecoder {
 public:
  using Index = FeatureView::Index;

  struct Limits {
    Index dimension = 0;      ///< all indices of the cache must be below
    std::size_t sources = 0;  ///< number of sources in the header
  };

  BlockDecoder(const Limits& limits, LabelNames& names) : limits_(limits), names_(names) {}

  /// Adds the examples of a block, and returns the number of their source; an error describes the fault of
  /// the block. REQUIRES: `out` is clear, and has no bias.
  tl::expected<std::size_t, std::string> decode(std::string_view payload, std::size_t rows, Examples& out);

 private:
  /// The bytes of the sections; missing sections are empty.
  struct Sections;
  /// Total numbers of features and labels.
  struct Counts {
    std::size_t indices = 0;
    std::size_t values = 0;
    std::size_t labels = 0;
  };

  static Sections split(std::string_view payload, std::size_t rows);
  static Counts count(const Sections& sections, std::size_t rows);
  template <class Gap>
  void add_rows(const Sections& sections, std::size_t rows, Examples::Bulk bulk, Examples& out) const;
  void read_labels(const Sections& sections, std::span<Examples::LabelId> labels);
  static void read_words(const Sections& sections, WordTable& words);

  Limits limits_;
  LabelNames& names_;
  std::vector<Examples::LabelId> name_ids_;  // ids of the block's names
};

}  // namespace askfew
