#include "askfew/streams/chunk_reader.h"

#include <algorithm>

namespace askfew {

bool ChunkReader::next(std::vector<char>& buffer, Chunk& chunk) {
  if (at_end_) return false;
  const auto room = [&] { return buffer.size() - 2 * Chunk::padding; };
  const auto bytes = [&] { return buffer.data() + Chunk::padding; };
  if (buffer.size() < unfinished_.size() + size_ + 2 * Chunk::padding) {
    buffer.resize(unfinished_.size() + size_ + 2 * Chunk::padding);
  }
  std::copy(unfinished_.begin(), unfinished_.end(), bytes());
  std::size_t filled = unfinished_.size();
  unfinished_.clear();
  std::size_t whole = 0;
  while (whole == 0) {
    if (filled == room()) buffer.resize(2 * buffer.size());
    // A pipe gives a little at a time; what has come is not kept waiting for what has not.
    do {
      const std::size_t got = source_.read(bytes() + filled, room() - filled);
      filled += got;
      at_end_ = got == 0;
    } while (!at_end_ && filled < room() && source_.has_more());
    const bool last = at_end_ && source_.failure().empty();
    whole = last ? filled : format_.whole_records({bytes(), filled});
    if (at_end_) break;
  }
  unfinished_.assign(bytes() + whole, bytes() + filled);
  chunk = {.bytes = {bytes(), whole}, .offset = bytes_};
  bytes_ += whole;
  return whole > 0;
}

}  // namespace askfew
