#pragma once

#include "askfew/streams/stream_options.h"

namespace askfew {

// What the examples of a format depend on besides the file, as options of the command line. A cache of them
// remembers it.

Reading reading_of_svmlight(const StreamOptions& options);
Reading reading_of_idx(const StreamOptions& options);
Reading reading_of_packages(const StreamOptions& options);
Reading reading_of_reuters(const StreamOptions& options);
Reading reading_of_tsv(const StreamOptions& options);
/// Of a table with columns. Where a schema takes the place of what was told, that is left out.
Reading reading_of_table(const StreamOptions& options);
/// Of formats that depend on nothing but how texts become features.
Reading reading_of_text(const StreamOptions& options);
/// Of examples that have been read already.
Reading reading_of_cache(const StreamOptions& options);

}  // namespace askfew
