#pragma once

#include <string>

namespace askfew {

/// A ledger that is open.
class LedgerFile {
 public:
  /// THROWS: FileError.
  static LedgerFile for_reading(const std::string& path);
  /// Makes the file if it is not there. Nobody else may write it meanwhile. THROWS: FileError.
  static LedgerFile for_writing(const std::string& path);

  ~LedgerFile();
  LedgerFile(const LedgerFile&) = delete;
  LedgerFile& operator=(const LedgerFile&) = delete;
  LedgerFile(LedgerFile&& other) noexcept;
  LedgerFile& operator=(LedgerFile&&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Makes sure that its name survives the machine. THROWS: FileError.
  void sync_folder() const;
  /// Can it be read back? A device cannot.
  [[nodiscard]] bool is_regular() const;

 private:
  LedgerFile(std::string path, int flags);

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace askfew
