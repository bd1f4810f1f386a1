#pragma once

#include <memory>
#include <span>
#include <string>

#include "askfew/streams/stream.h"
#include "askfew/streams/stream_options.h"

// Threads: many threads may open streams at the same time; a stream is for one thread at a time, and starts
// the threads that its options allow.

namespace askfew {

/// The formats, for messages: "svmlight, idx, ...".
std::string format_names();

/// Opens files that are read one after the other, "-" being standard input; gzip and zstd are unpacked, and
/// the format known by the content unless it is named. Where a path may stand, a synthetic stream may.
/// THROWS: FileError, ConfigError, DataError.
std::unique_ptr<Stream> open_stream(std::span<const std::string> paths, const StreamOptions& options);
std::unique_ptr<Stream> open_stream(const std::string& path, const StreamOptions& options);

}  // namespace askfew
