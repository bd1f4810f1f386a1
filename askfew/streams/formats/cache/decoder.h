#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "askfew/streams/format.h"
#include "askfew/streams/label_names.h"

namespace askfew {

/// Reads the payloads of a cache's blocks. It trusts their checksums for what the numbers are, and nobody for
/// where they lead: whatever the bytes, the examples are well-formed.
class BlockDecoder {
 public:
  using Index = FeatureView::Index;

  struct Limits {
    Index dimension = 0;      ///< no index of the cache may reach it
    std::size_t sources = 0;  ///< of the header
  };

  BlockDecoder(const Limits& limits, LabelNames& names) : limits_(limits), names_(names) {}

  /// Adds the examples of a block, and returns which of the sources they come from; an error says what is
  /// wrong with the block. REQUIRES: `out` is clear, and has no bias.
  tl::expected<std::size_t, std::string> decode(std::string_view payload, std::size_t rows, Examples& out);

 private:
  /// The bytes of the sections, those that are left out being empty.
  struct Sections;
  /// What features and labels there are in all.
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
  std::vector<Examples::LabelId> name_ids_;  // of the block's names
};

}  // namespace askfew
