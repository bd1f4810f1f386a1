#include "askfew/system/raw_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

constexpr int milliseconds_between_looks = 50;  // at whether to stop

int open_for_reading(const std::string& path, const std::string& name) {
  const int descriptor = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw FileError(name + ": cannot open: " + std::strerror(errno));
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(descriptor);
    throw FileError(name + ": cannot open: it is a folder");
  }
  return descriptor;
}

bool on_disk(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

bool is_readable(int descriptor, int milliseconds) {
  pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
  return poll(&waiting, 1, milliseconds) == 1;  // an interruption is one more look
}

}  // namespace

RawFile::RawFile(const std::string& path, const std::atomic<bool>* stop)
    : name_(path == "-" ? "<stdin>" : path),
      stop_(stop),
      descriptor_(open_for_reading(path, name_)),
      is_regular_(on_disk(descriptor_)) {}

RawFile::~RawFile() {
  close(descriptor_);
}

std::size_t RawFile::read(char* buffer, std::size_t size) {
  ssize_t got = -1;
  errno = EINTR;
  while (got < 0 && errno == EINTR && !is_stopped()) {
    if (!is_regular_ && !is_readable(descriptor_, milliseconds_between_looks)) {
      errno = EINTR;
      continue;
    }
    got = ::read(descriptor_, buffer, size);
  }
  if (got >= 0) return static_cast<std::size_t>(got);
  throw FileError(is_stopped() ? "interrupted" : std::string("cannot read: ") + std::strerror(errno));
}

std::size_t RawFile::offset() const {
  return static_cast<std::size_t>(lseek(descriptor_, 0, SEEK_CUR));
}

bool RawFile::is_ready() const {
  return is_regular_ || is_readable(descriptor_, 0);
}

}  // namespace askfew
