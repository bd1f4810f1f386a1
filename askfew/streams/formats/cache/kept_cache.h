#pragma once

#include <span>
#include <string>
#include <vector>

#include "askfew/streams/stream_options.h"

namespace askfew {

/// A cache next to the data: made at the first use, and made again whenever it is outdated.
class KeptCache {
 public:
  /// The name of the cache comes from the first file. REQUIRES: at least one file.
  explicit KeptCache(std::span<const std::string> sources);

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Does the cache contain what the sources would give with these options? THROWS: FileError for a missing
  /// source; ConfigError for a source that is not a file on a disk, or if another file has the cache's name.
  [[nodiscard]] bool fits(const StreamOptions& options) const;

  /// Makes the cache again, unless the options' `stop` is set meanwhile. THROWS: as `fits`, and DataError for
  /// malformed data, for which no cache is kept.
  void make(const StreamOptions& options) const;

 private:
  std::vector<std::string> sources_;
  std::string path_;
};

}  // namespace askfew
