#include "askfew/system/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <random>
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

AtomicFile::AtomicFile(std::string path, std::ostream* standard) : path_(std::move(path)), stream_(&file_) {
  if (path_ == "-") {
    if (standard == nullptr) fail("cannot be written here: a file is needed", 0);
    stream_ = standard;
    return;
  }
  if (is_special(path_)) {
    file_.open(path_, std::ios::binary);
    if (!file_) fail("cannot write", errno);
    return;
  }
  std::error_code ignored;
  if (std::filesystem::is_symlink(path_, ignored)) path_ = std::filesystem::weakly_canonical(path_).string();
  create_temporary();
  file_.open(temporary_, std::ios::binary | std::ios::trunc);
  if (!file_) {
    const int error = errno;
    unlink(temporary_.c_str());
    fail("cannot write", error);
  }
}

/// Beside the path, under a name that is free. The system takes the process's mask off the mode.
void AtomicFile::create_temporary() {
  constexpr int tries = 100;
  constexpr mode_t for_all = 0666;
  constexpr mode_t permissions = 0777;
  struct stat before {};
  const bool replaces = stat(path_.c_str(), &before) == 0;
  std::random_device random;
  int error = EEXIST;
  for (int k = 0; k < tries && error == EEXIST; ++k) {
    temporary_ = fmt::format("{}.{:08x}", path_, random());
    const int descriptor = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, for_all);
    error = descriptor < 0 ? errno : 0;
    if (descriptor < 0) continue;
    if (replaces) static_cast<void>(fchmod(descriptor, before.st_mode & permissions));
    close(descriptor);
  }
  if (error != 0) {
    temporary_.clear();
    fail("cannot write", error);
  }
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
