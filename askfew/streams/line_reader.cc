#include "askfew/streams/line_reader.h"

#include <cstring>

namespace askfew {

bool LineReader::next(std::string_view& line) {
  std::size_t searched = begin_;
  const char* newline = nullptr;
  while (true) {
    newline = static_cast<const char*>(std::memchr(buffer_.data() + searched, '\n', end_ - searched));
    if (newline != nullptr || at_end_) break;
    const std::size_t unfinished = end_ - begin_;
    refill();  // moves the unfinished line to the front
    searched = begin_ + unfinished;
  }
  if (newline == nullptr && (begin_ == end_ || !source_.failure().empty())) return false;
  const std::size_t length =
      newline != nullptr ? static_cast<std::size_t>(newline - buffer_.data()) - begin_ : end_ - begin_;
  line = {buffer_.data() + begin_, length};
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  begin_ += length + (newline != nullptr ? 1 : 0);
  ++number_;
  return true;
}

void LineReader::refill() {
  const std::size_t unfinished = end_ - begin_;
  if (begin_ > 0) std::memmove(buffer_.data(), buffer_.data() + begin_, unfinished);
  begin_ = 0;
  end_ = unfinished;
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::size_t got = source_.read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += got;
  at_end_ = got == 0;
}

}  // namespace askfew
