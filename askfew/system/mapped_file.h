#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace askfew {

/// A file on a disk, read where the system keeps it.
///
/// Whoever makes the file shorter meanwhile takes bytes away that are about to be read. `bring_in` notices
/// it; in the moment after, the system can only end the process with SIGBUS, for which a program should have
/// a message.
class MappedFile {
 public:
  /// From an offset to its end; null if there is nothing, or it cannot be mapped.
  static std::unique_ptr<MappedFile> map(int descriptor, std::size_t offset);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  MappedFile(MappedFile&&) = delete;
  MappedFile& operator=(MappedFile&&) = delete;

  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  /// To be called before a part is read; false if it is no longer there.
  [[nodiscard]] static bool bring_in(std::string_view part);
  /// The part takes no more memory; to be called once it was read. Can be read again nevertheless.
  static void let_go(std::string_view part);

 private:
  MappedFile(char* base, std::size_t size, std::size_t offset)
      : base_(base), size_(size), bytes_(base + offset, size - offset) {}

  char* base_;
  std::size_t size_;
  std::string_view bytes_;
};

}  // namespace askfew
