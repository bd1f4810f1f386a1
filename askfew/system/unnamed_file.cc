#include "askfew/system/unnamed_file.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "askfew/core/errors.h"
#include "askfew/system/descriptor.h"

namespace askfew {
namespace {

[[noreturn]] void fail(int error) {
  throw FileError(std::string("a file in memory: ") + std::strerror(error));
}

}  // namespace

UnnamedFile::UnnamedFile(std::string_view bytes) : descriptor_(memfd_create("askfew", MFD_CLOEXEC)) {
  if (descriptor_ < 0) fail(errno);
  if (const int error = write_all(descriptor_, bytes); error != 0) {
    close(descriptor_);
    fail(error);
  }
  lseek(descriptor_, 0, SEEK_SET);
}

UnnamedFile::~UnnamedFile() {
  close(descriptor_);
}

std::string UnnamedFile::content() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) fail(errno);
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = pread(descriptor_, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

}  // namespace askfew
