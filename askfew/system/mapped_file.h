#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace askfew {

/// A file on a disk, mapped into memory.
///
/// Another process may shorten the file while it is read. `bring_in` notices a file that was shortened before
/// the call. If the file is shortened after the call, the system ends the process with SIGBUS; a program
/// should print a message for that signal.
class MappedFile {
 public:
  /// Maps from an offset to the end; null if there are no bytes or the file cannot be mapped.
  static std::unique_ptr<MappedFile> map(int descriptor, std::size_t offset);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile(MappedFile&&) = delete;
  MappedFile& operator=(MappedFile&&) = delete;

  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  /// Call before reading a part; false if the part no longer exists.
  [[nodiscard]] static bool bring_in(std::string_view part);
  /// Releases the memory of a part. Call after reading the part. The part can be read again later.
  static void let_go(std::string_view part);

 private:
  MappedFile(char* base, std::size_t size, std::size_t offset)
      : base_(base), size_(size), bytes_(base + offset, size - offset) {}

  char* base_;
  std::size_t size_;
  std::string_view bytes_;
};

}  // namespace askfew
