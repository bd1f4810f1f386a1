#include "askfew/streams/formats/cache/kept_cache.h"

#include <filesystem>
#include <fmt/core.h>

#include "askfew/streams/formats/cache/open_cache.h"
#include "askfew/streams/formats/cache/writer.h"
#include "askfew/streams/formats/synthetic/synthetic.h"
#include "askfew/streams/open.h"
#include "askfew/system/atomic_file.h"

namespace askfew {
namespace {

/// The options without those that apply after reading, which the readers of a cache apply.
StreamOptions as_written(StreamOptions options) {
  options.dimension = 0;
  options.order = Order::file;
  options.features.tf_idf = false;
  options.features.bias = 0;
  options.features.normalize = false;
  options.skipped = nullptr;
  return options;
}

/// Are these the files that a cache was made from?
bool are_sources(const CacheHeader& header, std::span<const std::string> paths) {
  std::size_t matched = 0;
  for (const Origin& origin : header.origins) {
    if (origin.format.empty()) continue;  // a file that another file needs
    if (matched == paths.size() || origin.path != origin_of(paths[matched]).path) return false;
    ++matched;
  }
  return matched == paths.size();
}

void check(const std::string& source) {
  const auto refuse = [&](std::string_view why) {
    throw ConfigError(fmt::format("`cache`: {} {}", source == "-" ? "<stdin>" : source, why));
  };
  if (source == "-" || is_synthetic(source))
    refuse("is no file on a disk, beside which a cache could be kept");
  if (!std::filesystem::is_fifo(source) && CacheFormat::recognizes(ByteSource(source).peek())) {
    refuse("is a cache already");
  }
  if (!stamp_of(source)) refuse("is no file on a disk, beside which a cache could be kept");
}

}  // namespace

KeptCache::KeptCache(std::span<const std::string> sources)
    : sources_(sources.begin(), sources.end()), path_(sources[0] + ".askcache") {}

bool KeptCache::fits(const StreamOptions& options) const {
  for (const std::string& source : sources_) check(source);
  if (!std::filesystem::exists(path_)) return false;
  ByteSource file(path_);
  if (!CacheFormat::recognizes(file.peek())) {
    throw ConfigError(fmt::format("`cache`: {} is in the way, and no cache: move it away", path_));
  }
  try {
    const CacheHeader header = read_cache_header(file).header;
    return are_sources(header, sources_) && why_unusable(header, options, Use::for_sources).empty();
  } catch (const DataError&) {  // damaged, or another version
    return false;
  }
}

void KeptCache::make(const StreamOptions& options) const {
  const auto stream = open_stream(sources_, as_written(options));
  AtomicFile file(path_);
  if (const auto written = write_cache(*stream, file.stream()); !written) throw DataError(written.error());
  if (options.stop == nullptr || !*options.stop) file.commit();
}

}  // namespace askfew
