#pragma once

#include <string>
#include <string_view>

namespace askfew {

/// A file in the system's temporary folder; the destructor removes the file.
class TemporaryFile {
 public:
  /// The file name ends in `name`. THROWS: FileError.
  explicit TemporaryFile(std::string_view bytes, std::string_view name = "data");
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  TemporaryFile(TemporaryFile&&) = delete;
  TemporaryFile& operator=(TemporaryFile&&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace askfew
