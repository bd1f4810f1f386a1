#pragma once

#include <filesystem>

namespace askfew {

/// A folder that nobody else can look into, and that is gone with this object and all that is in it.
class TemporaryFolder {
 public:
  /// Its name begins with `beginning`, a path. THROWS: FileError.
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
