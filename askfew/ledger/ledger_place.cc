#include "askfew/ledger/ledger_place.h"

#include <filesystem>
#include <utility>

#include "askfew/core/errors.h"
#include "askfew/ledger/ledger_file.h"

namespace askfew {
namespace {

class FileOpener : public LedgerOpener {
 public:
  explicit FileOpener(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] std::unique_ptr<LedgerStore> for_reading() const override {
    return LedgerFile::for_reading(path_);
  }
  [[nodiscard]] std::unique_ptr<LedgerStore> find_for_writing() const override {
    return LedgerFile::find_for_writing(path_);
  }
  [[nodiscard]] std::unique_ptr<LedgerStore> for_writing() const override {
    return LedgerFile::for_writing(path_);
  }
  void remove() const override {
    std::error_code error;
    std::filesystem::remove(path_, error);
    if (error) throw FileError(path_ + ": cannot delete the ledger: " + error.message());
  }

 private:
  std::string path_;
};

}  // namespace

LedgerPlace::LedgerPlace(std::string path) : name_(std::move(path)), is_file_(!name_.empty()) {
  if (is_file_) opener_ = std::make_shared<FileOpener>(name_);
}

LedgerPlace::LedgerPlace(std::string name, std::shared_ptr<const LedgerOpener> opener)
    : name_(std::move(name)), opener_(std::move(opener)) {}

}  // namespace askfew
