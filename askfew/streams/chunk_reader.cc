#include "askfew/streams/chunk_reader.h"

#include <algorithm>

namespace askfew {

bool ChunkReader::next(std::vector<char>& buffer, Chunk& chunk) {
  if (!was_begun_ && format_.is_read_in_place()) mapped_ = source_.map();
  was_begun_ = true;
  if (mapped_ != nullptr) return next_mapped(chunk);
  if (at_end_ && unfinished_.empty()) return false;
  const auto room = [&] { return buffer.size() - 2 * Chunk::padding; };
  const auto bytes = [&] { return buffer.data() + Chunk::padding; };
  if (buffer.size() < unfinished_.size() + size_ + 2 * Chunk::padding) {
    buffer.resize(unfinished_.size() + size_ + 2 * Chunk::padding);
  }
  std::copy(unfinished_.begin(), unfinished_.end(), bytes());
  std::size_t filled = unfinished_.size();
  std::size_t whole = format_.whole_records({bytes(), filled});
  while (whole == 0 && !at_end_) {
    if (filled == room()) buffer.resize(2 * buffer.size());
    // A pipe gives a little at a time; what has come is not kept waiting for what has not.
    do {
      const std::size_t got = source_.read(bytes() + filled, room() - filled);
      filled += got;
      at_end_ = got == 0;
    } while (!at_end_ && filled < room() && source_.has_more());
    whole = format_.whole_records({bytes(), filled});
  }
  const bool last = at_end_ && source_.failure().empty();
  if (last && (whole == 0 || format_.last_may_have_no_end())) whole = filled;
  if (whole == 0) filled = 0;  // before a failure an unfinished record counts for nothing
  unfinished_.assign(bytes() + whole, bytes() + filled);
  chunk = {.bytes = {bytes(), whole}, .offset = bytes_};
  bytes_ += whole;
  return whole > 0;
}

bool ChunkReader::next_mapped(Chunk& chunk) {
  const std::string_view rest = mapped_->bytes().substr(bytes_);
  std::size_t there = 0;
  std::size_t whole = 0;
  while (whole == 0 && there < rest.size()) {
    const std::string_view more = rest.substr(there, std::max(size_, there));
    if (!MappedFile::bring_in(more)) {
      source_.fail("the file has become shorter while it was read");
      return false;
    }
    there += more.size();
    whole = format_.whole_records(rest.substr(0, there));
    if (whole == 0 && there == rest.size()) whole = there;
  }
  chunk = {.bytes = rest.substr(0, whole), .offset = bytes_};
  bytes_ += whole;
  return whole > 0;
}

}  // namespace askfew
