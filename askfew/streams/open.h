#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>

#include "askfew/streams/cache/header.h"
#include "askfew/streams/packages.h"
#include "askfew/streams/stream.h"

namespace askfew {

/// How to read data.
struct StreamOptions {
  std::string format = "auto";  ///< a name of `format_names`, or auto
  std::string idx_labels{};     ///< empty: beside the images, by name
  FeatureView::Index dimension = 0;
  PackagesFormat::LabelField label_field = PackagesFormat::LabelField::section;
  TextHasher::Options hashing{};
  bool normalize = false;                    ///< scale every instance to norm 1
  unsigned threads = 1;                      ///< that parse; the examples are the same
  std::size_t chunk = std::size_t{1} << 18;  ///< bytes that are parsed at once
  std::shared_ptr<Skipped> skipped{};  ///< where malformed examples are counted; null: they end the stream
  const std::atomic<bool>* stop = nullptr;  ///< set from outside to end the stream
};

/// The formats, for messages: "svmlight, idx, ...".
std::string format_names();

/// Why a cache cannot stand for the files that it was made from, if they are to be read in this way; an empty
/// text if it can.
std::string why_unusable(const CacheHeader& header, const StreamOptions& options);

/// Opens files that are read one after the other, "-" being standard input; gzip is unpacked, and the format
/// known by the content unless it is named. THROWS: FileError, ConfigError, DataError.
std::unique_ptr<Stream> open_stream(std::span<const std::string> paths, const StreamOptions& options);
std::unique_ptr<Stream> open_stream(const std::string& path, const StreamOptions& options);

}  // namespace askfew
