#include "askfew/sessions/line_buffer.h"

#include <algorithm>
#include <cstring>

#include "askfew/sessions/incoming.h"

namespace askfew {
namespace {

constexpr std::size_t step = std::size_t{1} << 16;                  // the capacity of a pipe
constexpr std::size_t max_kept = IncomingReader::longest_line + 2;  // too long even without a '\r'

}  // namespace

std::span<char> LineBuffer::room() {
  const std::size_t kept = end_ - begin_;
  if (kept > 0 && begin_ > 0) std::memmove(buffer_.data(), buffer_.data() + begin_, kept);
  begin_ = 0;
  end_ = std::min(kept, max_kept);
  too_long_ = end_ == max_kept;
  const std::size_t needed = end_ + step + IncomingReader::padding;
  if (buffer_.size() < needed) buffer_.resize(std::max(needed, 2 * end_));
  return std::span(buffer_).subspan(end_, step);
}

void LineBuffer::add_line(std::size_t end) {
  std::string_view line(buffer_.data() + begin_, end - begin_);
  if (too_long_) line = line.substr(0, max_kept);
  too_long_ = false;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  lines_.push_back(line);
}

std::span<const std::string_view> LineBuffer::lines(std::size_t bytes) {
  lines_.clear();
  std::size_t at = end_;  // the earlier bytes contain no line end
  end_ += bytes;
  while (at < end_) {
    const void* found = std::memchr(buffer_.data() + at, '\n', end_ - at);
    if (found == nullptr) break;
    const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data());
    add_line(end);
    begin_ = end + 1;
    at = begin_;
  }
  return lines_;
}

std::span<const std::string_view> LineBuffer::last_line() {
  lines_.clear();
  if (begin_ < end_) add_line(end_);
  begin_ = end_;
  return lines_;
}

}  // namespace askfew
