#pragma once

// The options on which the examples of each format depend, for caches.

#include "askfew/streams/stream_options.h"

namespace askfew {

// The options that the examples of a format depend on, besides the file, with their command-line names. A
// cache stores them.

Reading reading_of_svmlight(const StreamOptions& options);
Reading reading_of_idx(const StreamOptions& options);
Reading reading_of_packages(const StreamOptions& options);
Reading reading_of_reuters(const StreamOptions& options);
Reading reading_of_tsv(const StreamOptions& options);
Reading reading_of_json(const StreamOptions& options);
/// For a table with columns. Options that a schema replaces are omitted.
Reading reading_of_table(const StreamOptions& options);
/// For formats that depend only on the text options.
Reading reading_of_text(const StreamOptions& options);
/// For examples that were read before.
Reading reading_of_cache(const StreamOptions& options);

}  // namespace askfew
