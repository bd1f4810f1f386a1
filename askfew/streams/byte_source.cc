#include "askfew/streams/byte_source.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "askfew/core/errors.h"

namespace askfew {
namespace {

constexpr std::size_t look_ahead_size = std::size_t{1} << 16;

}  // namespace

std::size_t ByteSource::read(char* buffer, std::size_t size) {
  peek();
  const std::size_t kept = std::min(size, ahead_.size() - ahead_used_);
  if (kept == 0) {
    if (ahead_.capacity() > 2 * look_ahead_size) {  // frees the memory of a long look ahead
      ahead_ = std::string();
      ahead_used_ = 0;
      ahead_share_.resize(0, "");
    }
    return read_through(buffer, size, May::wait);
  }
  std::memcpy(buffer, ahead_.data() + ahead_used_, kept);
  ahead_used_ += kept;
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
  peek();
  bool any = false;
  bool ended = false;
  while (!ended) {
    if (ahead_used_ == ahead_.size()) look_ahead(May::wait);
    const std::string_view rest = std::string_view(ahead_).substr(ahead_used_);
    if (rest.empty()) break;
    any = true;
    const std::size_t end = rest.find('\n');
    ended = end != std::string_view::npos;
    const std::string_view part = rest.substr(0, end);
    if (part.size() > limits_.max_line - line.size()) {
      failure_ = too_long();
      return false;
    }
    line += part;
    ahead_used_ += part.size() + (ended ? 1 : 0);
  }
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return any;
}

std::string_view ByteSource::peek() {
  if (!was_begun_) {
    was_begun_ = true;
    // A pipe may deliver single bytes.
    while (may_begin_packed({raw_.data(), raw_end_}) && refill()) {
    }
    unpacker_ = unpacker_for({raw_.data(), raw_end_}, limits_.memory);
    look_ahead(May::wait);
  }
  return ahead_;
}

std::string_view ByteSource::peek(std::size_t size) {
  peek();
  while (ahead_.size() < size && look_further(size - ahead_.size())) {
  }
  return ahead_;
}

std::string_view ByteSource::peek_line(std::size_t most) {
  peek();
  std::size_t searched = 0;
  while (ahead_.find('\n', searched) == std::string::npos && ahead_.size() <= most) {
    searched = ahead_.size();
    if (!peek_more()) break;
  }
  return ahead_;
}

bool ByteSource::peek_more() {
  peek();
  return look_further(look_ahead_size);
}

std::string ByteSource::too_long() const {
  return fmt::format("more than {} bytes without an end, the most that a line may have: see `max_line`",
                     limits_.max_line);
}

bool ByteSource::has_more() {
  if (!may_wait() || ahead_used_ < ahead_.size()) return true;
  // The available bytes of a compressed file may not give an unpacked byte yet: only unpacking shows.
  if (unpacker_ != nullptr) look_ahead(May::not_wait);
  return ahead_used_ < ahead_.size() || !failure_.empty() || raw_begin_ < raw_end_ || file_.is_ready();
}

std::unique_ptr<MappedFile> ByteSource::map() {
  peek();
  if (may_wait() || unpacker_ != nullptr || !failure_.empty()) return nullptr;
  const std::size_t unread = ahead_.size() - ahead_used_ + raw_end_ - raw_begin_;
  return MappedFile::map(file_.descriptor(), file_.offset() - unread);
}

/// REQUIRES: all peeked bytes were read.
void ByteSource::look_ahead(May may) {
  ahead_.resize(look_ahead_size);
  ahead_.resize(read_through(ahead_.data(), ahead_.size(), may));
  ahead_used_ = 0;
}

/// Peeks at up to so many more bytes; false if there are none.
bool ByteSource::look_further(std::size_t size) {
  const std::size_t before = ahead_.size();
  make_room_ahead(before + size);
  ahead_.resize(before + read_through(ahead_.data() + before, size, May::wait));
  return ahead_.size() > before;
}

void ByteSource::make_room_ahead(std::size_t size) {
  // The old and the new memory exist at the same time for a moment.
  if (size > ahead_.capacity()) ahead_share_.resize(3 * size, "the first lines");
  ahead_.resize(size);
}

std::size_t ByteSource::read_through(char* buffer, std::size_t size, May may) {
  if (unpacker_ != nullptr) return unpack(buffer, size, may);
  if (raw_begin_ == raw_end_) return read_file(buffer, size);
  const std::size_t got = std::min(size, raw_end_ - raw_begin_);
  std::memcpy(buffer, raw_.data() + raw_begin_, got);
  raw_begin_ += got;
  return got;
}

std::size_t ByteSource::unpack(char* buffer, std::size_t size, May may) {
  while (failure_.empty()) {
    if (raw_begin_ == raw_end_ && !unpacker_holds_back_) {
      if (may == May::not_wait && !file_.is_ready()) return 0;
      if (!refill()) {
        if (failure_.empty() && !unpacker_->is_whole()) {
          failure_ =
              "truncated " + std::string(unpacker_->name()) + ": the file ends in the middle of its data";
        }
        return 0;
      }
    }
    Unpacker::Step step = unpacker_->step({raw_.data() + raw_begin_, raw_end_ - raw_begin_}, {buffer, size});
    raw_begin_ += step.taken;
    unpacker_holds_back_ = step.given == size;
    failure_ = std::move(step.damage);
    if (step.given > 0) return step.given;
  }
  return 0;
}

/// Reads more of the file after the bytes in memory; false at its end.
bool ByteSource::refill() {
  if (raw_begin_ == raw_end_) raw_begin_ = raw_end_ = 0;
  const std::size_t got = read_file(raw_.data() + raw_end_, raw_.size() - raw_end_);
  raw_end_ += got;
  return got > 0;
}

std::size_t ByteSource::read_file(char* buffer, std::size_t size) {
  if (!failure_.empty()) return 0;
  try {
    return file_.read(buffer, size);
  } catch (const FileError& error) {
    failure_ = error.what();
    return 0;
  }
}

}  // namespace askfew
