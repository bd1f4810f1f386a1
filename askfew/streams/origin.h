#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace askfew {

/// By which a file is known to be the one that it was.
struct FileStamp {
  std::uint64_t size = 0;
  std::int64_t modified = 0;  ///< nanoseconds since 1970

  bool operator==(const FileStamp&) const = default;
};
/// Nothing for what is no file on a disk, or is not there.
std::optional<FileStamp> stamp_of(const std::string& path);

/// Options by the names of the command line, and what they were, an empty text if they were not given.
using Reading = std::map<std::string, std::string>;

/// Where examples come from, and how they were read.
struct Origin {
  std::string name;      ///< as messages name it
  std::string format{};  ///< a name of `format_names`; empty: a file that another one needs, or no file
  Reading reading{};     ///< the options that the examples depend on
  std::string path{};    ///< from the root, if it is a file on a disk
  std::optional<FileStamp> stamp{};  ///< of that file, when it was opened
};

/// Of a file, or of what has no path.
Origin origin_of(const std::string& path);

}  // namespace askfew
