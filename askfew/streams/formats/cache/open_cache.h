#pragma once

#include <memory>

#include "askfew/streams/formats/cache/cache_format.h"
#include "askfew/streams/formats/formats.h"

namespace askfew {

/// THROWS: DataError if it is damaged, or cannot stand for itself with the options.
std::unique_ptr<Format> open_cache(const Opening& file);

/// What the examples of a cache are to be.
enum class Use : std::uint8_t {
  by_itself,   ///< data by their own: options that were not given are those of the cache
  for_sources  ///< what its sources would give with these options
};

/// Why a cache is not what the options want, up to the words "convert it again"; or an empty text.
std::string why_unusable(const CacheHeader& header, const StreamOptions& options, Use use);

}  // namespace askfew
