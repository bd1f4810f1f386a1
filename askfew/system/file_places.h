#pragma once

#include <span>
#include <string>

namespace askfew {

/// A file that is read or written.
struct FilePlace {
  std::string role;           ///< what messages call it
  std::string path;           ///< "-": standard input or output; empty: none
  std::string replaced_by{};  ///< of a file that is read: the role of the one output that may be this file
};

/// Where a file is, or will be, once every link on the way is followed. A path that cannot be followed stays
/// as it is.
std::string without_links(const std::string& path);

/// Refuses an output that is the same file as an input or as another output, under whatever name: files are
/// compared by device and inode, and by their paths without links where they are not there yet. Standard
/// output is one of the outputs. Pipes and devices hold nothing that could be overwritten. To be called
/// before anything is opened. THROWS: ConfigError.
void check_apart(std::span<const FilePlace> inputs, std::span<const FilePlace> outputs);

}  // namespace askfew
