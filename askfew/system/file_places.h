#pragma once

// Checks that no output is the same file as an input or another output.

#include <span>
#include <string>

namespace askfew {

/// A file that is read or written.
struct FilePlace {
  std::string role;           ///< the name used in messages
  std::string path;           ///< "-": standard input or output; empty: no file
  std::string replaced_by{};  ///< for an input: the role of the only output that may be the same file
};

/// The path with every link resolved. The file need not exist. A path that cannot be resolved is returned
/// unchanged.
std::string without_links(const std::string& path);

/// Refuses an output that is the same file as an input or another output, under any name. Existing files are
/// compared by device and inode, other files by their paths without links. Standard output is one of the
/// outputs. Pipes and devices are not checked because they hold nothing to overwrite. Call this function
/// before opening any file. THROWS: ConfigError.
void check_apart(std::span<const FilePlace> inputs, std::span<const FilePlace> outputs);

}  // namespace askfew
