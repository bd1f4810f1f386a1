#pragma once

#include <string>
#include <string_view>

namespace askfew {

/// A file in memory that has no name, for a program that reads or writes one: nobody else can open it, and it
/// is gone with this object.
class UnnamedFile {
 public:
  /// To be read from its beginning. THROWS: FileError.
  explicit UnnamedFile(std::string_view bytes = {});
  ~UnnamedFile();
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;
  UnnamedFile(UnnamedFile&&) = delete;
  UnnamedFile& operator=(UnnamedFile&&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// All that was written to it. THROWS: FileError.
  [[nodiscard]] std::string content() const;

 private:
  int descriptor_;
};

}  // namespace askfew
