#pragma once

#include <string>
#include <string_view>

namespace askfew {

/// A file in memory without a name, for a program that reads or writes a file. Nobody else can open the file;
/// the destructor removes it.
class UnnamedFile {
 public:
  /// A reader starts at the beginning of `bytes`. THROWS: FileError.
  explicit UnnamedFile(std::string_view bytes = {});
  ~UnnamedFile();
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;
  UnnamedFile(UnnamedFile&&) = delete;
  UnnamedFile& operator=(UnnamedFile&&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Everything written to the file. THROWS: FileError.
  [[nodiscard]] std::string content() const;

 private:
  int descriptor_;
};

}  // namespace askfew
