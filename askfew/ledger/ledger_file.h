#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "askfew/ledger/ledger_store.h"

namespace askfew {

/// An open ledger file.
class LedgerFile : public LedgerStore {
 public:
  /// THROWS: FileError.
  static std::unique_ptr<LedgerFile> for_reading(const std::string& path);
  /// Opens the file and locks it against other writers. Null if there is no file. THROWS: FileError.
  static std::unique_ptr<LedgerFile> find_for_writing(const std::string& path);
  /// The same, but creates the file if there is none.
  static std::unique_ptr<LedgerFile> for_writing(const std::string& path);

  ~LedgerFile() override;
  LedgerFile(const LedgerFile&) = delete;
  LedgerFile& operator=(const LedgerFile&) = delete;
  LedgerFile(LedgerFile&&) = delete;
  LedgerFile& operator=(LedgerFile&&) = delete;

  std::size_t read(std::uint64_t place, char* out, std::size_t size) const override;
  void show_from(std::uint64_t place, const SeeBytes& see) const override;
  [[nodiscard]] Status status() const override;
  [[nodiscard]] std::string write(std::uint64_t place, std::string_view bytes) override;
  [[nodiscard]] std::string cut(std::uint64_t place) override;
  /// `sync`: syncs the file, the first time also its name.
  [[nodiscard]] std::string commit(bool sync) override;

 private:
  LedgerFile(std::string path, int descriptor) : LedgerStore(std::move(path)), descriptor_(descriptor) {}
  /// Null if there is no file. THROWS: FileError.
  static std::unique_ptr<LedgerFile> open(const std::string& path, int flags);
  [[noreturn]] static void fail_to_open(const std::string& path);
  void lock() const;
  /// Writes the file's name to the disk, so that it survives a crash of the machine. THROWS: FileError.
  void sync_folder() const;

  int descriptor_ = -1;
  bool has_name_ = false;  // the name is certainly on the disk
};

}  // namespace askfew
