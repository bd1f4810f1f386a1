#pragma once

#include <filesystem>

namespace askfew {

/// A folder that other users cannot read; the destructor removes the folder with its content.
class TemporaryFolder {
 public:
  /// The path begins with `beginning`. THROWS: FileError.
  explicit TemporaryFolder(const std::filesystem::path& beginning);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  TemporaryFolder(TemporaryFolder&&) = delete;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace askfew
