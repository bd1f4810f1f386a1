#include "askfew/system/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <sys/stat.h>
#include <unistd.h>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

bool is_special(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

/// Syncs a file or folder to disk; 0 or the error.
int sync(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int error = fsync(descriptor) == 0 ? 0 : errno;
  close(descriptor);
  return error;
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), stream_(&file_) {
  if (path_ == "-") {
    stream_ = &std::cout;
    return;
  }
  if (is_special(path_)) {
    file_.open(path_, std::ios::binary);
    if (!file_) fail("cannot write", errno);
    return;
  }
  std::error_code ignored;
  if (std::filesystem::is_symlink(path_, ignored)) path_ = std::filesystem::weakly_canonical(path_).string();
  temporary_ = path_ + ".XXXXXX";
  const int descriptor = mkstemp(temporary_.data());
  if (descriptor < 0) {
    const int error = errno;
    temporary_.clear();
    fail("cannot write", error);
  }
  const mode_t mask = umask(0);
  umask(mask);
  static_cast<void>(fchmod(descriptor, 0666 & ~mask));  // mkstemp is more private than a user expects
  close(descriptor);
  file_.open(temporary_, std::ios::binary | std::ios::trunc);
  if (!file_) fail("cannot write", errno);
}

AtomicFile::~AtomicFile() {
  if (temporary_.empty()) return;
  file_.close();
  unlink(temporary_.c_str());
}

void AtomicFile::finish() {
  errno = 0;
  stream_->flush();
  if (!*stream_) fail("cannot write", errno);
  if (temporary_.empty()) return;
  file_.close();
  if (const int error = sync(temporary_); error != 0) fail("cannot sync", error);
}

void AtomicFile::publish() {
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot rename into place", errno);
  temporary_.clear();
  if (const int error = sync(folder_of(path_)); error != 0) fail("cannot sync the folder", error);
}

void AtomicFile::fail(const std::string& what, int error) const {
  const std::string why = error != 0 ? std::string(": ") + std::strerror(error) : std::string();
  throw FileError((path_ == "-" ? "<stdout>" : path_) + ": " + what + why);
}

}  // namespace askfew
