#include "askfew/ledger/ledger_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
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

bool LedgerFile::is_regular() const {
  struct stat status {};
  return fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace askfew
