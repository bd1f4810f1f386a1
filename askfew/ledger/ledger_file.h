#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace askfew {

/// An open ledger file.
class LedgerFile {
 public:
  /// THROWS: FileError.
  static LedgerFile for_reading(const std::string& path);
  /// Opens the file and locks it against other writers. Nothing if there is no file. THROWS: FileError.
  static std::optional<LedgerFile> find_for_writing(const std::string& path);
  /// The same, but creates the file if there is none.
  static LedgerFile for_writing(const std::string& path);

  ~LedgerFile();
  LedgerFile(const LedgerFile&) = delete;
  LedgerFile& operator=(const LedgerFile&) = delete;
  LedgerFile(LedgerFile&& other) noexcept;
  LedgerFile& operator=(LedgerFile&&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Writes the file's name to the disk, so that it survives a crash of the machine. THROWS: FileError.
  void sync_folder() const;
  struct Status {
    bool is_regular = false;   ///< the file can be read back; a device cannot
    bool is_in_place = false;  ///< the path leads to this file; false once somebody deletes, moves or
                               ///< replaces it
    std::uint64_t size = 0;
  };
  [[nodiscard]] Status status() const;

 private:
  LedgerFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  /// THROWS: FileError, unless there is no file.
  static std::optional<LedgerFile> open(const std::string& path, int flags);
  [[noreturn]] static void fail_to_open(const std::string& path);
  void lock() const;

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace askfew
