#include "askfew/system/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <sys/stat.h>
#include <unistd.h>

#include "askfew/core/errors.h"
#include "askfew/system/file_places.h"

namespace askfew {
namespace {

bool is_special(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

/// Gives a new file the owner and the rights of the one that it will replace; without one, the usual rights.
void set_rights(int descriptor, const std::string& path) {
  struct stat old {};
  if (stat(path.c_str(), &old) != 0) {
    const mode_t mask = umask(0);
    umask(mask);
    static_cast<void>(fchmod(descriptor, 0666 & ~mask));  // mkstemp is more private than a user expects
    return;
  }
  mode_t rights = old.st_mode & 0777U;
  const bool same_group = fchown(descriptor, old.st_uid, old.st_gid) == 0 ||
                          fchown(descriptor, static_cast<uid_t>(-1), old.st_gid) == 0;
  if (!same_group) rights &= ~static_cast<mode_t>(S_IRWXG);  // they were not meant for another group
  static_cast<void>(fchmod(descriptor, rights));
}

/// Syncs a folder to disk; 0 or the error.
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

AtomicFile::AtomicFile(std::string path, const std::atomic<bool>* stop)
    : path_(std::move(path)), stream_(&file_) {
  if (path_ == "-") {
    stream_ = &std::cout;
    return;
  }
  if (is_special(path_)) {
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor_ < 0) fail("cannot write", errno);
  } else {
    open_temporary();
  }
  buffer_.emplace(descriptor_, stop);
  file_.rdbuf(&*buffer_);
}

void AtomicFile::open_temporary() {
  place_ = without_links(path_);
  temporary_ = place_ + ".XXXXXX";
  descriptor_ = mkostemp(temporary_.data(), O_CLOEXEC);
  if (descriptor_ < 0) {
    const int error = errno;
    temporary_.clear();
    fail("cannot write", error);
  }
  set_rights(descriptor_, place_);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::finish() {
  errno = 0;
  stream_->flush();
  if (!*stream_) fail("cannot write", buffer_ ? buffer_->error() : errno);
  if (!temporary_.empty() && fsync(descriptor_) != 0) fail("cannot sync", errno);
}

void AtomicFile::publish() {
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), place_.c_str()) != 0) fail("cannot rename into place", errno);
  temporary_.clear();
  if (const int error = sync(folder_of(place_)); error != 0) fail("cannot sync the folder", error);
}

void AtomicFile::fail(const std::string& what, int error) const {
  const std::string why = error != 0 ? std::string(": ") + std::strerror(error) : std::string();
  throw FileError((path_ == "-" ? "<stdout>" : path_) + ": " + what + why);
}

}  // namespace askfew
