#pragma once

// Opens a cache as a file format.

#include <memory>

#include "askfew/streams/formats/cache/cache_format.h"
#include "askfew/streams/formats/formats.h"

namespace askfew {

/// THROWS: DataError if the cache is damaged, or does not fit the options.
std::unique_ptr<Format> open_cache(const Opening& file);

/// How the examples of a cache are used.
enum class Use : std::uint8_t {
  by_itself,   ///< as data: options that were not given are those of the cache
  for_sources  ///< instead of the sources with these options
};

/// Why a cache does not fit the options, without the words "convert it again"; or an empty text.
std::string why_unusable(const CacheHeader& header, const StreamOptions& options, Use use);

}  // namespace askfew
