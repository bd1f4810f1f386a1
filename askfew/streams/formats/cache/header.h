#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "askfew/streams/byte_source.h"
#include "askfew/streams/formats/tables/table_schema.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// What the examples of a cache are, and what they were read from.
struct CacheHeader {
  FeatureView::Index dimension = 0;  ///< as in Stream
  LabelKind label_kind = LabelKind::binary;
  std::vector<Origin> origins;
  std::optional<TableSchema> table{};  ///< as in Stream
};

/// Of the cache of a stream that is about to be read.
CacheHeader cache_header(const Stream& stream);

/// Its bytes, prefix and all.
std::string bytes_of(const CacheHeader& header);

struct ReadHeader {
  CacheHeader header;
  std::uint64_t checksum = 0;  ///< which seeds those of the blocks
  std::uint64_t size = 0;      ///< in bytes, prefix and all
};
/// THROWS: DataError for a file that is no cache, a damaged one, or one of another version.
ReadHeader read_cache_header(ByteSource& source);

/// What has become of the files that a cache was made from: a reason not to use it, up to "convert it
/// again", or an empty text. Files
/// that are gone are none.
std::string why_stale(const CacheHeader& header);

}  // namespace askfew
