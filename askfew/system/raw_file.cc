#include "askfew/system/raw_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "askfew/core/errors.h"
#include "askfew/system/descriptor.h"

namespace askfew {
namespace {

int open_for_reading(const std::string& path, const std::string& name) {
  const int descriptor = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw FileError(name + ": cannot open: " + std::strerror(errno));
  const auto refuse = [&](const std::string& why) {
    close(descriptor);
    throw FileError(name + ": cannot open: " + why);
  };
  struct stat status {};
  if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) refuse("it is a folder");
  if ((fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_WRONLY) refuse(std::strerror(EBADF));
  return descriptor;
}

}  // namespace

RawFile::RawFile(const std::string& path, const std::atomic<bool>* stop)
    : name_(path == "-" ? "<stdin>" : path),
      stop_(stop),
      descriptor_(open_for_reading(path, name_)),
      is_regular_(is_regular_file(descriptor_)) {}

RawFile::~RawFile() {
  close(descriptor_);
}

std::size_t RawFile::read(char* buffer, std::size_t size) {
  ssize_t got = -1;
  int error = EINTR;
  while (got < 0 && (error == EINTR || error == EAGAIN) && !is_stopped()) {
    if (!is_regular_ && !is_readable_soon(descriptor_)) continue;
    got = ::read(descriptor_, buffer, size);
    error = errno;
  }
  if (got >= 0) return static_cast<std::size_t>(got);
  throw FileError(is_stopped() ? "interrupted" : std::string("cannot read: ") + std::strerror(error));
}

std::size_t RawFile::offset() const {
  return static_cast<std::size_t>(lseek(descriptor_, 0, SEEK_CUR));
}

bool RawFile::is_ready() const {
  pollfd waiting{.fd = descriptor_, .events = POLLIN, .revents = 0};
  return is_regular_ || poll(&waiting, 1, 0) == 1;
}

}  // namespace askfew
