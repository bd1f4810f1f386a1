#pragma once

// Where examples came from and how they were read, to notice that a cache is outdated.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace askfew {

/// Shows whether a file has changed.
struct FileStamp {
  std::uint64_t size = 0;
  std::int64_t modified = 0;  ///< nanoseconds since 1970

  bool operator==(const FileStamp&) const = default;
};
/// Nothing if the path is not a file on a disk, or does not exist.
std::optional<FileStamp> stamp_of(const std::string& path);

/// Options by their names on the command line, with their values; the value is empty if the option was not
/// given.
using Reading = std::map<std::string, std::string>;

/// The source of examples, and how they were read.
struct Origin {
  std::string name;      ///< the name for messages
  std::string format{};  ///< a name of `format_names`; empty: a file that another file needs, or not a file
  Reading reading{};     ///< the options that the examples depend on
  std::string path{};    ///< absolute path, if it is a file on a disk
  std::optional<FileStamp> stamp{};  ///< of that file, when it was opened
};

/// The origin of a file or of an input without a path.
Origin origin_of(const std::string& path);

}  // namespace askfew
