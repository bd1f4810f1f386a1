#include "askfew/streams/chunk_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace askfew {

void ChunkBuffer::grow(std::size_t size, std::size_t kept) {
  if (size <= size_) return;
  auto larger = std::make_unique_for_overwrite<char[]>(size + 2 * Chunk::padding);
  std::fill_n(larger.get(), Chunk::padding, '\0');
  std::fill_n(larger.get() + Chunk::padding + size, Chunk::padding, '\0');
  if (kept > 0) std::copy_n(bytes(), kept, larger.get() + Chunk::padding);
  bytes_ = std::move(larger);
  size_ = size;
}

bool ChunkReader::next(ChunkBuffer& buffer, Chunk& chunk) {
  if (!was_begun_ && format_.is_read_in_place()) mapped_ = source_.map();
  was_begun_ = true;
  if (mapped_ != nullptr) return next_mapped(chunk);
  if (at_end_ && unfinished_.empty()) return false;
  // No chunk is longer than the longest allowed record, so no record is.
  const std::size_t most = longest_record();
  std::size_t room = std::min(unfinished_.size() + size_, most);
  buffer.grow(room, 0);
  std::copy(unfinished_.begin(), unfinished_.end(), buffer.bytes());
  std::size_t filled = unfinished_.size();
  std::size_t looked_at = 0;
  std::size_t whole = format_.whole_records({buffer.bytes(), filled}, looked_at);
  while (whole == 0 && !at_end_) {
    if (filled == most) {
      char beyond = 0;
      at_end_ = source_.read(&beyond, 1) == 0;
      if (at_end_) break;
      refuse_long();
      return false;
    }
    if (filled == room) {
      room = std::min(2 * room, most);
      buffer.grow(room, filled);
    }
    // A pipe gives a few bytes at a time; complete records do not wait for more bytes.
    do {
      const std::size_t got = source_.read(buffer.bytes() + filled, room - filled);
      filled += got;
      at_end_ = got == 0;
    } while (!at_end_ && filled < room && source_.has_more());
    whole = format_.whole_records({buffer.bytes(), filled}, looked_at);
  }
  const bool last = at_end_ && source_.failure().empty();
  if (last && (whole == 0 || format_.last_may_have_no_end())) whole = filled;
  if (whole == 0) filled = 0;  // an incomplete record before a failure is dropped
  unfinished_.assign(buffer.bytes() + whole, buffer.bytes() + filled);
  if (unfinished_.capacity() > 2 * (unfinished_.size() + size_)) unfinished_.shrink_to_fit();
  chunk = {.bytes = {buffer.bytes(), whole}, .offset = bytes_};
  bytes_ += whole;
  return whole > 0;
}

std::size_t ChunkReader::longest_record() const {
  ReadingLimits limits = source_.limits();
  if (!format_.has_lines()) limits.max_line = std::numeric_limits<std::size_t>::max() / 4;
  return limits.longest_record(format_.memory_per_byte(), size_);
}

void ChunkReader::refuse_long() {
  if (format_.has_lines() && longest_record() == source_.limits().max_line) {
    source_.fail(source_.too_long());
    return;
  }
  throw MemoryError(fmt::format("a record of more than {} bytes would need more memory than there may be",
                                longest_record()));
}

bool ChunkReader::next_mapped(Chunk& chunk) {
  const std::string_view rest = mapped_->bytes().substr(bytes_);
  std::size_t there = 0;
  std::size_t whole = 0;
  std::size_t looked_at = 0;
  while (whole == 0 && there < rest.size()) {
    const std::string_view more = rest.substr(there, std::max(size_, there));
    if (there > longest_record()) refuse_long();
    if (!MappedFile::bring_in(more)) {
      source_.fail("the file has become shorter while it was read");
      return false;
    }
    there += more.size();
    whole = format_.whole_records(rest.substr(0, there), looked_at);
    if (whole == 0 && there == rest.size()) whole = there;
  }
  chunk = {.bytes = rest.substr(0, whole), .offset = bytes_};
  bytes_ += whole;
  return whole > 0;
}

}  // namespace askfew
