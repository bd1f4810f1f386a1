#pragma once

#include <cstdint>
#include <ostream>

#include "askfew/streams/formats/cache/header.h"
#include "askfew/streams/formats/cache/layout.h"

namespace askfew {

/// Writes examples as a cache, sequentially from the first byte to the last.
class CacheWriter {
 public:
  /// The number of features per block. Smaller blocks would still be in the private cache of the core that
  /// read them when another core learns from them; reading from the shared cache is faster.
  static constexpr std::size_t usual_block = std::size_t{1} << 17;

  /// Writes the header.
  CacheWriter(std::ostream& out, const CacheHeader& header, std::size_t block = usual_block);

  /// Adds the examples of a block that a stream has just delivered. REQUIRES: the stream is the header's
  /// stream.
  void add(const Examples& block, const Stream& stream);
  /// Without this call the cache counts as truncated.
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
  std::uint64_t offset_ = 0;  // offset of the next block
  Examples pending_;          // examples of the next block
  std::size_t features_ = 0;  // number of features in pending_
  std::string source_;        // source of the pending examples
  cache::Totals totals_{};
};

/// Writes a whole stream, as long as `out` accepts it. THROWS: what the stream throws.
tl::expected<cache::Totals, ParseError> write_cache(Stream& stream, std::ostream& out,
                                                    std::size_t block = CacheWriter::usual_block);

}  // namespace askfew
