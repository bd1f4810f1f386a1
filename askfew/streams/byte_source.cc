#include "askfew/streams/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "askfew/core/errors.h"

namespace askfew {

struct ByteSource::Handle {
  gzFile file = nullptr;
  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle(Handle&&) = delete;
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (file != nullptr) gzclose(file);
  }
};

namespace {

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

}  // namespace

ByteSource::ByteSource(const std::string& path)
    : handle_(std::make_unique<Handle>()), name_(path == "-" ? "<stdin>" : path) {
  const int descriptor = open_for_reading(path, name_);
  handle_->file = gzdopen(descriptor, "rb");  // reads plain files as they are
  if (handle_->file == nullptr) {
    close(descriptor);
    throw FileError(name_ + ": cannot open: out of memory");
  }
  gzbuffer(handle_->file, 1U << 18);
}

ByteSource::~ByteSource() = default;

std::size_t ByteSource::read(char* buffer, std::size_t size) {
  const std::size_t kept = std::min(size, peeked_.size() - peeked_used_);
  std::memcpy(buffer, peeked_.data() + peeked_used_, kept);
  peeked_used_ += kept;
  return kept + read_through(buffer + kept, size - kept);
}

std::string_view ByteSource::peek() {
  if (!has_peeked_) {
    has_peeked_ = true;
    peeked_.resize(1U << 16);
    peeked_.resize(read_through(peeked_.data(), peeked_.size()));
  }
  return peeked_;
}

std::size_t ByteSource::read_through(char* buffer, std::size_t size) {
  std::size_t done = 0;
  while (done < size && failure_.empty()) {
    const std::size_t chunk = std::min<std::size_t>(size - done, 1U << 30);
    const int got = gzread(handle_->file, buffer + done, static_cast<unsigned>(chunk));
    int code = Z_OK;
    const char* why = gzerror(handle_->file, &code);
    if (got > 0) done += static_cast<std::size_t>(got);
    if (code == Z_BUF_ERROR) {
      failure_ = "truncated gzip: the file ends in the middle of its data";
    } else if (code == Z_ERRNO) {
      failure_ = std::string("cannot read: ") + std::strerror(errno);
    } else if (code != Z_OK && code != Z_STREAM_END) {
      failure_ = std::string("damaged gzip: ") + why;
    }
    if (got <= 0) break;
  }
  return done;
}

}  // namespace askfew
