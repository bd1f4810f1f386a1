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
#include "askfew/system/file_places.h"

namespace askfew {
namespace {

bool is_special(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

/// Gives a new file the owner and the mode of the file that it will replace.
void pass_on(const struct stat& old, int descriptor) {
  mode_t mode = old.st_mode & 0777U;
  const bool same_group = fchown(descriptor, old.st_uid, old.st_gid) == 0 ||
                          fchown(descriptor, static_cast<uid_t>(-1), old.st_gid) == 0;
  if (!same_group) mode &= ~static_cast<mode_t>(S_IRWXG);  // the permissions were not meant for another group
  static_cast<void>(fchmod(descriptor, mode));
}

/// Syncs a folder to disk; returns 0 or the error.
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

AtomicFile::AtomicFile(std::string path, std::ostream* standard, const std::atomic<bool>* stop)
    : path_(std::move(path)), stream_(&file_) {
  if (path_ == "-") {
    if (standard == nullptr) fail("cannot be written here: a file is needed", 0);
    stream_ = standard;
    return;
  }
  if (is_special(path_)) {
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor_ < 0) fail("cannot write", errno);
  } else {
    create_temporary();
  }
  buffer_.emplace(descriptor_, stop);
  file_.rdbuf(&*buffer_);
}

void expect_writable(const std::string& path) {
  struct stat status {};
  const bool is_there = stat(path.c_str(), &status) == 0;
  if (is_there && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return;
  const AtomicFile unpublished(path);
}

/// Creates the file next to the path, under a free name. The system applies the process's file mode mask.
void AtomicFile::create_temporary() {
  constexpr int tries = 100;
  place_ = without_links(path_);
  struct stat old {};
  const bool replaces = stat(place_.c_str(), &old) == 0;
  std::random_device random;
  int error = EEXIST;
  for (int k = 0; k < tries && error == EEXIST; ++k) {
    temporary_ = fmt::format("{}.{:08x}", place_, random());
    // The replacement of a private file is private from the beginning.
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? 0600 : 0666);
    error = descriptor_ < 0 ? errno : 0;
  }
  if (error != 0) {
    temporary_.clear();
    fail("cannot write", error);
  }
  if (replaces) pass_on(old, descriptor_);
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
