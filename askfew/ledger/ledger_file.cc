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

LedgerFile::LedgerFile(std::string path, int flags)
    : path_(std::move(path)), descriptor_(open(path_.c_str(), flags | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) throw FileError(path_ + ": cannot open the ledger: " + std::strerror(errno));
}

LedgerFile LedgerFile::for_reading(const std::string& path) {
  return {path, O_RDONLY};
}

LedgerFile LedgerFile::for_writing(const std::string& path) {
  LedgerFile file(path, O_RDWR | O_CREAT);
  if (flock(file.descriptor_, LOCK_EX | LOCK_NB) != 0) {
    throw FileError(path + (errno == EWOULDBLOCK
                                ? ": another process writes this ledger"
                                : std::string(": cannot lock the ledger: ") + std::strerror(errno)));
  }
  return file;
}

LedgerFile::LedgerFile(LedgerFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

LedgerFile::~LedgerFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void LedgerFile::sync_folder() const {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::canonical(path_, error).parent_path();
  const int descriptor = error ? -1 : open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Where folders cannot be synced, EINVAL, there is nothing to do.
  const bool done = descriptor >= 0 && (fsync(descriptor) == 0 || errno == EINVAL);
  const int why_not = error ? error.value() : errno;
  if (descriptor >= 0) close(descriptor);
  if (!done) throw FileError(path_ + ": cannot sync the ledger's folder: " + std::strerror(why_not));
}

bool LedgerFile::is_regular() const {
  struct stat status {};
  return fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace askfew
