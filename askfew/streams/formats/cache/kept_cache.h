#pragma once

#include <span>
#include <string>
#include <vector>

#include "askfew/streams/stream_options.h"

namespace askfew {

/// A cache that is kept beside data: made when it is first asked for and whenever it no longer fits.
class KeptCache {
 public:
  /// It is named after the first file. REQUIRES: at least one.
  explicit KeptCache(std::span<const std::string> sources);

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Does it hold what the sources would give with these options? THROWS: FileError for a source that is not
  /// there; ConfigError for one that is no file on a disk, or if something else has the cache's name.
  [[nodiscard]] bool fits(const StreamOptions& options) const;

  /// Makes it anew, unless the options' `stop` is set meanwhile. THROWS: as `fits`, and DataError for
  /// malformed data, of which no cache is kept.
  void make(const StreamOptions& options) const;

 private:
  std::vector<std::string> sources_;
  std::string path_;
};

}  // namespace askfew
