#include "askfew/ledger/ledger_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "askfew/core/errors.h"

namespace askfew {

void LedgerFile::fail_to_open(const std::string& path) {
  throw FileError(path + ": cannot open the ledger: " + std::strerror(errno));
}

std::optional<LedgerFile> LedgerFile::open(const std::string& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor >= 0) return LedgerFile(path, descriptor);
  if (errno != ENOENT) fail_to_open(path);
  return std::nullopt;
}

LedgerFile LedgerFile::for_reading(const std::string& path) {
  auto file = open(path, O_RDONLY);
  if (!file) fail_to_open(path);
  return std::move(*file);
}

std::optional<LedgerFile> LedgerFile::find_for_writing(const std::string& path) {
  auto file = open(path, O_RDWR);
  if (file) file->lock();
  return file;
}

LedgerFile LedgerFile::for_writing(const std::string& path) {
  auto file = open(path, O_RDWR | O_CREAT);
  if (!file) fail_to_open(path);
  file->lock();
  return std::move(*file);
}

void LedgerFile::lock() const {
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  throw FileError(path_ + (errno == EWOULDBLOCK
                               ? ": another process writes this ledger"
                               : std::string(": cannot lock the ledger: ") + std::strerror(errno)));
}

LedgerFile::LedgerFile(LedgerFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

LedgerFile::~LedgerFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void LedgerFile::sync_folder() const {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::canonical(path_, error).parent_path();
  const int descriptor = error ? -1 : ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // EINVAL: this file system cannot sync folders, so there is nothing to do.
  const bool done = descriptor >= 0 && (fsync(descriptor) == 0 || errno == EINVAL);
  const int why_not = error ? error.value() : errno;
  if (descriptor >= 0) close(descriptor);
  if (!done) throw FileError(path_ + ": cannot sync the ledger's folder: " + std::strerror(why_not));
}

LedgerFile::Status LedgerFile::status() const {
  struct stat here {};
  struct stat there {};
  if (fstat(descriptor_, &here) != 0) return {};
  return {.is_regular = S_ISREG(here.st_mode),
          .is_in_place =
              stat(path_.c_str(), &there) == 0 && here.st_dev == there.st_dev && here.st_ino == there.st_ino,
          .size = static_cast<std::uint64_t>(here.st_size)};
}

}  // namespace askfew
