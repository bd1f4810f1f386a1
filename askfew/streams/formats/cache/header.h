#pragma once

// The header of a cache.

#include <cstdint>
#include <string>
#include <vector>

#include "askfew/streams/byte_source.h"
#include "askfew/streams/formats/tables/table_schema.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// The format of a cache's examples, and the files they were read from.
struct CacheHeader {
  FeatureView::Index dimension = 0;  ///< as in Stream
  LabelKind label_kind = LabelKind::binary;
  std::vector<Origin> origins;
  std::optional<TableSchema> table{};  ///< as in Stream
};

/// The header for the cache of a stream that will be read next.
CacheHeader cache_header(const Stream& stream);

/// The bytes of the header, including the prefix.
std::string bytes_of(const CacheHeader& header);

struct ReadHeader {
  CacheHeader header;
  std::uint64_t checksum = 0;  ///< the seed for the checksums of the blocks
  std::uint64_t size = 0;      ///< in bytes, including the prefix
};
/// THROWS: DataError for a file that is not a cache, is damaged, or has another version.
ReadHeader read_cache_header(ByteSource& source);

/// The reason why a cache is outdated, without the words "convert it again"; an empty text if it is not.
/// Compares the files that the cache was made from; missing files are ignored.
std::string why_stale(const CacheHeader& header);

}  // namespace askfew
