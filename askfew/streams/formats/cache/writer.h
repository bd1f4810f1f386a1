#pragma once

#include <cstdint>
#include <ostream>

#include "askfew/streams/formats/cache/header.h"
#include "askfew/streams/formats/cache/layout.h"

namespace askfew {

/// Writes examples as a cache, from the first byte to the last and never back.
class CacheWriter {
 public:
  /// So many features make a block. Smaller ones would still be in the cache of the core that has read them
  /// when another comes to learn from them, which takes longer than to fetch them from the cache of both.
  static constexpr std::size_t usual_block = std::size_t{1} << 17;

  /// Writes the header.
  CacheWriter(std::ostream& out, const CacheHeader& header, std::size_t block = usual_block);

  /// Adds the examples of a block that a stream has just delivered. REQUIRES: it is the header's.
  void add(const Examples& block, const Stream& stream);
  /// Without this a cache counts as truncated.
  void finish(const Stream& stream);

  [[nodiscard]] const cache::Totals& totals() const { return totals_; }

 private:
  void write_pending(const Stream& stream);
  void write_block(cache::BlockKind kind, std::size_t rows, std::string_view payload);
  void write(std::string_view bytes);

  std::ostream& out_;
  CacheHeader header_;
  std::size_t block_;
  std::uint64_t seed_ = 0;
  std::uint64_t offset_ = 0;  // of the next block
  Examples pending_;          // of the next block
  std::size_t features_ = 0;  // of those
  std::string source_;        // where they come from
  cache::Totals totals_{};
};

/// Writes a whole stream, as long as `out` takes it. THROWS: what the stream throws.
tl::expected<cache::Totals, ParseError> write_cache(Stream& stream, std::ostream& out,
                                                    std::size_t block = CacheWriter::usual_block);

}  // namespace askfew
