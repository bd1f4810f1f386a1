#include "askfew/streams/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

constexpr std::size_t raw_size = std::size_t{1} << 18;
constexpr int milliseconds_between_looks = 50;  // at whether to stop
constexpr std::string_view gzip_magic = "\x1f\x8b";

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

bool is_regular(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

bool is_readable(int descriptor, int milliseconds) {
  pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
  return poll(&waiting, 1, milliseconds) == 1;  // an interruption is one more look
}

}  // namespace

/// zlib's inflate, gzip members one after the other.
class ByteSource::Inflater {
 public:
  Inflater() {
    if (inflateInit2(&z_, 15 + 16) != Z_OK) throw FileError("out of memory for gzip");  // 16: gzip only
  }
  ~Inflater() { inflateEnd(&z_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  Inflater(Inflater&&) = delete;
  Inflater& operator=(Inflater&&) = delete;

  /// Unpacks from [in, in + in_size) to [out, out + out_size) and moves all four on.
  int step(char*& in, std::size_t& in_size, char*& out, std::size_t& out_size) {
    if (at_member_end_) inflateReset(&z_);
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in unsigned int
    z_.next_in = reinterpret_cast<Bytef*>(in);
    z_.avail_in = static_cast<uInt>(std::min(in_size, most));
    z_.next_out = reinterpret_cast<Bytef*>(out);
    z_.avail_out = static_cast<uInt>(std::min(out_size, most));
    const int code = ::inflate(&z_, Z_NO_FLUSH);
    at_member_end_ = code == Z_STREAM_END;
    in_size -= static_cast<std::size_t>(reinterpret_cast<char*>(z_.next_in) - in);
    in = reinterpret_cast<char*>(z_.next_in);
    out_size -= static_cast<std::size_t>(reinterpret_cast<char*>(z_.next_out) - out);
    out = reinterpret_cast<char*>(z_.next_out);
    return code;
  }
  [[nodiscard]] bool at_member_end() const { return at_member_end_; }
  [[nodiscard]] std::string why() const { return z_.msg != nullptr ? z_.msg : "not valid data"; }

 private:
  z_stream z_{};
  bool at_member_end_ = false;
};

ByteSource::ByteSource(const std::string& path, const std::atomic<bool>* stop)
    : name_(path == "-" ? "<stdin>" : path),
      stop_(stop),
      descriptor_(open_for_reading(path, name_)),
      may_wait_(!is_regular(descriptor_)),
      raw_(raw_size) {}

ByteSource::~ByteSource() {
  close(descriptor_);
}

std::size_t ByteSource::read(char* buffer, std::size_t size) {
  const std::size_t kept = std::min(size, peek().size() - peeked_used_);
  if (kept == 0) return read_through(buffer, size);
  std::memcpy(buffer, peeked_.data() + peeked_used_, kept);
  peeked_used_ += kept;
  return kept;
}

std::size_t ByteSource::read_fully(char* buffer, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const std::size_t got = read(buffer + done, size - done);
    if (got == 0) break;
    done += got;
  }
  return done;
}

bool ByteSource::read_line(std::string& line) {
  line.clear();
  char c = 0;
  bool any = false;
  while (read(&c, 1) == 1) {
    any = true;
    if (c == '\n') break;
    line.push_back(c);
  }
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return any;
}

bool ByteSource::has_more() const {
  return !may_wait_ || peeked_used_ < peeked_.size() || raw_begin_ < raw_end_ || !failure_.empty() ||
         is_readable(descriptor_, 0);
}

std::string_view ByteSource::peek() {
  if (!has_peeked_) {
    has_peeked_ = true;
    // A pipe may deliver byte by byte; the first two tell gzip.
    while (raw_end_ < gzip_magic.size() && refill()) {
    }
    if (std::string_view(raw_.data(), raw_end_).starts_with(gzip_magic))
      inflater_ = std::make_unique<Inflater>();
    peeked_.resize(std::size_t{1} << 16);
    peeked_.resize(read_through(peeked_.data(), peeked_.size()));
  }
  return peeked_;
}

std::string_view ByteSource::peek(std::size_t size) {
  std::size_t filled = peek().size();
  while (filled < size) {
    peeked_.resize(std::max(size, 2 * filled));
    const std::size_t got = read_through(peeked_.data() + filled, peeked_.size() - filled);
    filled += got;
    peeked_.resize(filled);
    if (got == 0) break;
  }
  return peeked_;
}

std::string_view ByteSource::peek_line() {
  std::size_t size = peek().size();
  std::size_t got = size;
  while (got > 0 && peeked_.find('\n', size - got) == std::string::npos) {
    peeked_.resize(2 * size);
    got = read_through(peeked_.data() + size, size);
    size += got;
    peeked_.resize(size);
  }
  return peeked_;
}

std::size_t ByteSource::read_through(char* buffer, std::size_t size) {
  if (inflater_ != nullptr) return inflate(buffer, size);
  if (raw_begin_ == raw_end_) return read_file(buffer, size);
  const std::size_t got = std::min(size, raw_end_ - raw_begin_);
  std::memcpy(buffer, raw_.data() + raw_begin_, got);
  raw_begin_ += got;
  return got;
}

std::size_t ByteSource::inflate(char* buffer, std::size_t size) {
  char* out = buffer;
  std::size_t room = size;
  while (out == buffer && failure_.empty()) {
    if (raw_begin_ == raw_end_ && !refill()) {
      if (failure_.empty() && !inflater_->at_member_end()) {
        failure_ = "truncated gzip: the file ends in the middle of its data";
      }
      break;
    }
    char* in = raw_.data() + raw_begin_;
    std::size_t left = raw_end_ - raw_begin_;
    const int code = inflater_->step(in, left, out, room);
    raw_begin_ = raw_end_ - left;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      failure_ = "damaged gzip: " + inflater_->why();
  }
  return static_cast<std::size_t>(out - buffer);
}

/// Reads more of the file behind what is there; false at its end.
bool ByteSource::refill() {
  if (raw_begin_ == raw_end_) raw_begin_ = raw_end_ = 0;
  const std::size_t got = read_file(raw_.data() + raw_end_, raw_.size() - raw_end_);
  raw_end_ += got;
  return got > 0;
}

std::size_t ByteSource::read_file(char* buffer, std::size_t size) {
  if (!failure_.empty()) return 0;
  ssize_t got = -1;
  errno = EINTR;
  while (got < 0 && errno == EINTR && !is_stopped()) {
    if (may_wait_ && !is_readable(descriptor_, milliseconds_between_looks)) {
      errno = EINTR;
      continue;
    }
    got = ::read(descriptor_, buffer, size);
  }
  if (got >= 0) return static_cast<std::size_t>(got);
  failure_ = is_stopped() ? "interrupted" : std::string("cannot read: ") + std::strerror(errno);
  return 0;
}

}  // namespace askfew
