#pragma once

// Opens data by its path and options.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "askfew/streams/stream.h"
#include "askfew/streams/stream_options.h"

// Threads: many threads may open streams at the same time; a stream is for one thread at a time, and starts
// the threads that its options allow.

namespace askfew {

/// The names of the formats, for messages: "svmlight, idx, ...".
std::string format_names();

/// Opens files that are read one after the other; "-" is standard input. gzip and zstd are unpacked; the
/// format is recognised by content unless it is given. A path may also name a synthetic stream. THROWS:
/// FileError, ConfigError, DataError.
std::unique_ptr<Stream> open_stream(std::span<const std::string> paths, const StreamOptions& options);
std::unique_ptr<Stream> open_stream(const std::string& path, const StreamOptions& options);

/// The number of examples in files that are neither packed nor pipes, where it can be told without parsing
/// them, and much faster. Malformed examples are counted too. THROWS: as open_stream, MemoryError.
std::optional<std::uint64_t> count_examples(std::span<const std::string> paths, const StreamOptions& options);

}  // namespace askfew
