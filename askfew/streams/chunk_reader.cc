#include "askfew/streams/chunk_reader.h"

#include <algorithm>

namespace askfew {

bool ChunkReader::next(std::vector<char>& buffer, Chunk& chunk) {
  if (at_end_) return false;
  if (buffer.size() < unfinished_.size() + size_) buffer.resize(unfinished_.size() + size_);
  std::copy(unfinished_.begin(), unfinished_.end(), buffer.begin());
  std::size_t filled = unfinished_.size();
  unfinished_.clear();
  std::size_t whole = 0;
  while (whole == 0) {
    if (filled == buffer.size()) buffer.resize(2 * buffer.size());
    // A pipe gives a little at a time; what has come is not kept waiting for what has not.
    do {
      const std::size_t got = source_.read(buffer.data() + filled, buffer.size() - filled);
      filled += got;
      at_end_ = got == 0;
    } while (!at_end_ && filled < buffer.size() && source_.has_more());
    const bool last = at_end_ && source_.failure().empty();
    whole = last ? filled : format_.whole_records({buffer.data(), filled});
    if (at_end_) break;
  }
  unfinished_.assign(buffer.begin() + static_cast<std::ptrdiff_t>(whole),
                     buffer.begin() + static_cast<std::ptrdiff_t>(filled));
  chunk = {.bytes = {buffer.data(), whole}, .offset = bytes_};
  bytes_ += whole;
  return whole > 0;
}

}  // namespace askfew
